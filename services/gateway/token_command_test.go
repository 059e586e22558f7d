package gateway_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
)

func calledWith(t *testing.T, token, service, procedure string, revoked ...string) connect.Code {
	t.Helper()
	mux, err := rpc.NewMux(service, trusttest.Keys(), rpc.Config{Revoked: revoked}, telemetrytest.Discard(t))
	require.NoError(t, err)
	mux.Handle(procedure, connect.NewUnaryHandlerSimple(procedure, echo, mux.Options()))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	request := connect.NewRequest(wrapperspb.String(""))
	request.Header().Set("Authorization", "Bearer "+token)
	_, err = connect.NewClient[wrapperspb.StringValue, wrapperspb.StringValue](http.DefaultClient,
		server.URL+procedure).CallUnary(t.Context(), request)
	if err == nil {
		return 0
	}
	return connect.CodeOf(err)
}

func keyFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(file, []byte(text+"\n"), 0o600))
	return file
}

// Each system has its own token, which permits its procedures at their services until it is revoked.
func TestTokenCommand_opensWhatTheTableSays(t *testing.T) {
	t.Parallel()
	const place, list = "/orders.v1.Intake/PlaceOrders", "/gateway.v1.Keys/ListKeys"
	o, key := newOperator(t), "--key="+keyFile(t, trusttest.Key(trust.Issuer).Reveal())
	token, told, err := o.try("token", key, "--caller", "marketplace", "--ttl", "5m")
	require.NoError(t, err)
	require.Zero(t, calledWith(t, token, "orders", place))
	require.Equal(t, connect.CodePermissionDenied, calledWith(t, token, "orders", "/orders.v1.ClaimLines/Settle"))
	require.Equal(t, connect.CodeUnauthenticated, calledWith(t, token, "stock", place))
	said := regexp.MustCompile(`^token (\S+) of marketplace for .*orders.*, until \S+Z\n$`).FindStringSubmatch(told)
	require.Len(t, said, 2, told)
	require.Equal(t, connect.CodeUnauthenticated, calledWith(t, token, "orders", place, said[1]))

	token = o.run("token", key, "--caller", "console")
	require.Zero(t, calledWith(t, token, "gateway", list))
	require.Equal(t, connect.CodePermissionDenied, calledWith(t, token, "orders", place))
	token = o.run("token", key, "--caller", "operator", "--audience", "claims,gateway")
	require.Zero(t, calledWith(t, token, "gateway", list))
	require.Equal(t, connect.CodeUnauthenticated, calledWith(t, token, "orders", "/orders.v1.Intake/CorrectItem"))
}

// A token that permits nothing would be noticed far from the mistake, and one that is valid too long not at all.
func TestTokenCommand_refused(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	for told, arguments := range map[string][]string{
		"kim: no such caller; known are claims, console, gateway, load, marketplace, operator, payments, sandbox, storefront": {
			"--caller",
			"kim",
		},
		"issuer does not sign tokens of caller \"claims\"": {
			"--caller",
			"claims",
		},
		"--audience qna: payments may call nothing there; it may call claims, orders": {
			"--caller",
			"payments", "--audience", "qna",
		},
		"a token of issuer is valid for at most 2160h0m0s, not 2161h0m0s": {
			"--caller",
			"operator", "--ttl", "2161h",
		},
	} {
		out, problem, err := o.try(append([]string{
			"token", "--key",
			keyFile(t, trusttest.Key(trust.Issuer).Reveal()),
		}, arguments...)...)
		require.Error(t, err)
		require.Empty(t, out)
		require.Contains(t, problem, told)
	}
	_, problem, err := o.try("token", "--caller", "operator", "--key", keyFile(t, "canary!"))
	require.Error(t, err)
	require.Contains(t, problem, "private key: not base64")
	require.NotContains(t, problem, "canary")
	_, problem, err = o.try("token", "--caller", "operator", "--key", t.TempDir()+"/none")
	require.Error(t, err)
	require.Contains(t, problem, "--key: open")
}

func echo(_ context.Context, message *wrapperspb.StringValue) (*wrapperspb.StringValue, error) {
	return message, nil
}
