package gateway_test

import (
	"encoding/json"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway"
)

// An operator keeps the head of the trail elsewhere, and can find out later what is missing.
func TestAuditCommands_verifyAndExport(t *testing.T) {
	t.Parallel()
	o, seller := newOperator(t), uuid.NewString()
	require.Equal(t, "0 entries verified. Head: 0:"+strings.Repeat("0", 64), o.run("audit", "verify"))
	o.run("keys", "register-seller", "--seller", seller, "--actor", "kim", "--name", "Seller")
	_, head, _ := strings.Cut(o.run("audit", "verify"), "Head: ")
	o.run("keys", "issue", "--seller", seller, "--actor", "kim")
	require.Contains(t, o.run("audit", "verify", "--head", head), "2 entries verified")

	lines := strings.Split(o.run("audit", "export"), "\n")
	require.Len(t, lines, 2)
	require.Equal(t, lines[1], o.run("audit", "export", "--after", "1"))
	var entry map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &entry))
	require.Equal(t, []any{"command", "kim", "register", seller, nil}, []any{
		entry["caller"], entry["actor"], entry["action"], entry["seller_id"], entry["key_id"],
	})
	require.Equal(t, head, "1:"+entry["digest"].(string))

	for _, other := range []string{"2:" + strings.Repeat("0", 64), "7:" + strings.Repeat("a", 64)} {
		_, problem, err := o.try("audit", "verify", "--head", other)
		require.Error(t, err)
		require.Contains(t, problem, "does not contain the given head")
	}
	_, problem, err := o.try("audit", "verify", "--head", "2")
	require.Error(t, err)
	require.Contains(t, problem, "NUMBER:DIGEST")
}

// A running gateway records refused callers in its trail. A message that is larger
// than any valid one is not read to its end.
func TestAuditExport_refusedCalls(t *testing.T) {
	t.Parallel()
	settings, seller := config(t), uuid.NewString()
	require.NoError(t, gateway.Schema.Migrate(t.Context(), settings.Postgres))
	addresses, stop := startUntil(t, settings)
	client := rpctest.Client(t, rpc.CallerOperator, "gateway", settings.RPC)
	keys := gatewayv1connect.NewKeysClient(client.HTTP, "http://"+addresses["rpc"], client.Options)
	for actor, code := range map[string]connect.Code{
		"kim": connect.CodePermissionDenied, "lee": connect.CodePermissionDenied,
		strings.Repeat("x", 65<<10): connect.CodeResourceExhausted,
	} {
		_, err := keys.RevealKey(t.Context(), &gatewayv1.RevealKeyRequest{SellerId: seller, KeyId: seller, Actor: actor})
		var received *connect.Error
		require.ErrorAs(t, err, &received)
		require.Equal(t, code, received.Code())
	}
	stop()
	o := &operator{t: t, environment: []string{"DATABASE_URL=" + settings.Postgres.URL.Reveal()}}
	var refused int
	for line := range strings.Lines(o.run("audit", "export")) {
		var entry struct{ Caller, Action, Detail string }
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		require.Equal(t, [2]string{rpc.CallerOperator, "reveal_refused"}, [2]string{entry.Caller, entry.Action})
		refused++
	}
	require.Equal(t, 3, refused)
}
