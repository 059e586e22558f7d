package store

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// A page forwards is served by the index of the list, from the beginning and from far inside.
func TestForward_servedByIndex(t *testing.T) {
	t.Parallel()
	db, big := pgtest.New(t, Migrations()), uuid.MustParse("a8000000-0000-4000-8000-000000000001")
	db.Config.Settings = postgres.PlannerSettings()
	crowd(t, db, big)
	pool := postgres.OfSeller(db.AsService(t), big)
	for name, after := range map[string]paging.Position{
		"beginning": paging.Beginning(), "inside": paging.Since(time.Now().Add(-20 * time.Hour)),
	} {
		for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
			statement, args := forwardStatement(big, after, paging.MaxLimit+1)
			requireIndexed(t, name+", "+mode, explain(t, pool, mode, statement, args), "")
		}
	}
}
