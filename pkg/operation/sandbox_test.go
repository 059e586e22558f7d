package operation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
)

// The operations of the sandbox are no part of the public table, have its scope alone, and need no Idempotency-Key.
func TestSandbox_besideThePublicTable(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, op := range operation.Of(operation.Sandbox) {
		require.NotContains(t, operation.All(), op)
		require.Equal(t, op, operation.Named(op.Name))
		require.False(t, names[op.Name], op.Name)
		names[op.Name] = true
		require.True(t, strings.HasPrefix(op.Name, "sandbox_"), op.Name)
		require.True(t, strings.HasPrefix(op.Path, operation.SandboxBase+"/"), op.Name)
		require.Equal(t, principal.Sandbox, op.Scope, op.Name)
		require.True(t, op.Unkeyed, op.Name)
		require.Equal(t, operation.Process, op.Class, op.Name)
	}
	require.NotEmpty(t, names)
	require.NotContains(t, operation.Services(), operation.Sandbox)
}
