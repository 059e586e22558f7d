package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

const policySQL = `alter table things add column seller_id uuid;
	alter table things enable row level security;
	alter table things force row level security;
	create policy sellers on things using (coalesce(seller_id = nullif(current_setting('app.seller', true), '')::uuid, true))`

// hiddenSQL makes the sessions of a role begin with a seller that has no rows, as a role behind a pooler needs it.
const hiddenSQL = "; alter role %[1]s set app.seller = '00000000-0000-0000-0000-000000000000'"

// An operator must notice when row-level security protects nothing, and when it would hide every row: neither shows in the
// results of a service whose statements all name their seller.
func TestCheck_rowSecurity(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		setUp, role     string
		pooling         bool
		security        string
		impaired, fails bool
	}{
		"own sessions":              {setUp: policySQL, security: "on"},
		"own sessions, exempt":      {setUp: policySQL, role: "; alter role %[1]s bypassrls", security: "on", impaired: true},
		"own sessions, off":         {setUp: policySQL, security: "off"},
		"own sessions, off, exempt": {setUp: policySQL, role: "; alter role %[1]s bypassrls", security: "off"},
		"own sessions, off, hidden": {setUp: policySQL, role: hiddenSQL, security: "off", fails: true},
		"pooler, not hidden":        {setUp: policySQL, pooling: true, security: "on", impaired: true},
		"pooler, hidden":            {setUp: policySQL, role: hiddenSQL, pooling: true, security: "on"},
		"pooler, off":               {setUp: policySQL, pooling: true, security: "off"},
		"pooler, off, hidden":       {setUp: policySQL, role: hiddenSQL, pooling: true, security: "off", fails: true},
		"pooler, no policy":         {pooling: true, security: "on"},
		"own sessions, no policy":   {security: "on"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := pgtest.New(t, migrations())
			execute(t, db.Pool, c.setUp)
			db.Config.URL = secret.New(createRole(t, db,
				"alter role %[1]s set search_path = %[2]s; grant usage on schema %[2]s to %[1]s"+c.role))
			db.Config.TransactionPooling, db.Config.RowSecurity = c.pooling, c.security
			err := postgres.Check(db.Open(t, telemetrytest.Discard(t)))(t.Context())
			switch {
			case c.impaired:
				require.ErrorIs(t, err, postgres.ErrUnconfined)
			case c.fails:
				require.ErrorContains(t, err, "hides all rows")
				require.NotErrorIs(t, err, postgres.ErrUnconfined)
			default:
				require.NoError(t, err)
			}
		})
	}
}
