package console

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// The provider of `make up`, at which nobody has a password, is in no program that is delivered.
func TestProduct(t *testing.T) {
	t.Parallel()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps",
		"../../gateway/cmd/...", "../../orders/cmd/...", "../../claims/cmd/...", "../../qna/cmd/...", "../../console/cmd/...")
	imports, err := list.Output()
	require.NoError(t, err)
	require.Contains(t, string(imports), "sellerapi.dev/services/console/internal/signin")
	require.NotContains(t, string(imports), "mockoidc")
	require.NotContains(t, string(imports), "sellerapi.dev/services/allinone")
}
