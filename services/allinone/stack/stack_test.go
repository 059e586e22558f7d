package stack

import (
	"context"
	"errors"
	"net"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
)

// Two sets of secrets have no secret in common.
func TestNewSecrets_nothingInCommon(t *testing.T) {
	t.Parallel()
	one, err := NewSecrets()
	require.NoError(t, err)
	other, err := NewSecrets()
	require.NoError(t, err)
	theirs := other.Named()
	for name, mine := range one.Named() {
		require.False(t, mine.IsZero(), name)
		require.NotEqual(t, mine.Reveal(), theirs[name].Reveal(), name)
	}
}

// The error for an incomplete secrets file, as from another version, names all missing secrets
// before any service is started.
func TestStart_missingSecretsNamed(t *testing.T) {
	t.Parallel()
	secrets, err := NewSecrets()
	require.NoError(t, err)
	secrets.Cursor, secrets.KeyPepper = secret.Text{}, secret.New("short")
	_, err = Start(t.Context(), Config{Secrets: secrets})
	require.ErrorContains(t, err, "secret cursor")
	require.ErrorContains(t, err, "secret key pepper")
}

// Many programs use port 8080; the stack starts even when it is taken.
func TestPublicAddress_wantedPortInUse(t *testing.T) {
	t.Parallel()
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", free)
	require.NoError(t, err)
	_, text, _ := strings.Cut(taken.Addr().String(), ":")
	port, err := strconv.Atoi(text)
	require.NoError(t, err)
	config := Config{PublicPort: port}
	require.Equal(t, free, config.publicAddress(t.Context()))
	require.NoError(t, taken.Close())
	require.Equal(t, taken.Addr().String(), config.publicAddress(t.Context()))
}

// The error of a stack that cannot reach its database says so.
func TestStart_withoutDatabase(t *testing.T) {
	t.Parallel()
	secrets, err := NewSecrets()
	require.NoError(t, err)
	_, err = Start(t.Context(), Config{Secrets: secrets, DatabaseURL: secret.New("postgres://nobody@127.0.0.1:1/none")})
	require.ErrorContains(t, err, "create schema")
}

// The outcome of an unanswered call is unknown, and every call can be retried.
func TestCall_repeatedOnlyWithoutAnswer(t *testing.T) {
	t.Parallel()
	for code, want := range map[connect.Code]int{
		connect.CodeUnavailable: 3, connect.CodeDeadlineExceeded: 3,
		connect.CodeFailedPrecondition: 1,
	} {
		calls := 0
		handler := connect.NewUnaryHandlerSimple(gatewayv1connect.KeysListKeysProcedure,
			func(context.Context, *gatewayv1.ListKeysRequest) (*gatewayv1.ListKeysResponse, error) {
				if calls++; calls < 3 {
					return nil, connect.NewError(code, errors.New("not now"))
				}
				return &gatewayv1.ListKeysResponse{}, nil
			})
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		_, err := Keys(server.URL, "token").ListKeys(t.Context(), &gatewayv1.ListKeysRequest{})
		require.Equal(t, want, calls, code)
		require.Equal(t, want == 3, err == nil, code)
	}
}
