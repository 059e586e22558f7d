package stack

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/claims"
	"sellerapi.dev/services/orders"
	"sellerapi.dev/services/qna"
)

// A pooler takes no settings from a session, so operators give them to the roles: all that the services send, with their values.
func TestPoolerSettings_listedForEachRole(t *testing.T) {
	t.Parallel()
	listed, err := os.ReadFile("../../../k8s/production/postgres/pooler.sql")
	require.NoError(t, err)
	var want strings.Builder
	for _, name := range []string{gatewayName, orders.Schema.Name, claims.Schema.Name, qna.Schema.Name} {
		config := postgres.Config{Settings: postgres.PlannerSettings()}
		if name == gatewayName {
			config.Settings = nil
		}
		for _, statement := range config.RoleSettings(name, name) {
			want.WriteString(strings.ReplaceAll(statement, `"`, "") + ";\n") // plain names need no quotes
		}
	}
	require.Equal(t, want.String(), string(listed))
}
