package gateway_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// An operator keeps the head of the trail elsewhere, and finds out later what is missing.
func TestAuditCommands_verifyAndExport(t *testing.T) {
	t.Parallel()
	o, seller := newOperator(t), uuid.NewString()
	require.Equal(t, "0 entries, whole. Head: 0:"+strings.Repeat("0", 64), o.run("audit", "verify"))
	o.run("keys", "register-seller", "--seller", seller, "--actor", "kim", "--name", "Seller")
	_, head, _ := strings.Cut(o.run("audit", "verify"), "Head: ")
	o.run("keys", "issue", "--seller", seller, "--actor", "kim")
	require.Contains(t, o.run("audit", "verify", "--head", head), "2 entries, whole")

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
		require.Contains(t, problem, "does not contain the head")
	}
	_, problem, err := o.try("audit", "verify", "--head", "2")
	require.Error(t, err)
	require.Contains(t, problem, "NUMBER:DIGEST")
}
