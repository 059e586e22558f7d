package rpctest

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
)

// As returns the identity of a caller at a service, signed with the keys of package trusttest: by the caller if it signs its
// own tokens, else by the issuer.
func As(caller, service string) rpc.Identity {
	party := trust.Issuer
	if slices.Contains(trust.Parties(), trust.Party(caller)) {
		party = trust.Party(caller)
	}
	return rpc.Identity{Party: party, Key: trusttest.Key(party), Caller: caller, Audience: []string{service}}
}

// Client returns the client settings of a caller at a service. The dial time-out is a minute, because other tests load the
// machine.
func Client(tb testing.TB, caller, service string, config rpc.Config) *rpc.Client {
	tb.Helper()
	config.Dial = time.Minute
	client, err := rpc.NewClient(config, As(caller, service), telemetrytest.Discard(tb))
	require.NoError(tb, err)
	tb.Cleanup(client.HTTP.CloseIdleConnections)
	return client
}

// Token returns the text of a token of a caller at a service, valid for a minute.
func Token(tb testing.TB, caller, service string) string {
	tb.Helper()
	token, err := rpc.NewToken(As(caller, service), time.Minute)
	require.NoError(tb, err)
	return token.Text
}
