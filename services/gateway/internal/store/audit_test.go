package store_test

import (
	"context"
	"io/fs"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/store"
)

// chain reads the whole trail and checks it; err says where it is broken.
func chain(t *testing.T, kept *store.Store) (entries []audit.Entry, err error) {
	t.Helper()
	var checked audit.Chain
	for entry, err := range kept.Trail(t.Context(), 0) {
		require.NoError(t, err)
		if err := checked.Add(entry); err != nil {
			return entries, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// trail returns what the audit trail says about the seller, oldest first, as "caller actor action key".
func (b *fixture) trail(t *testing.T) []string {
	t.Helper()
	entries, err := chain(t, b.store)
	require.NoError(t, err)
	var lines []string
	for _, e := range entries {
		line := e.Author.Caller + " " + e.Author.Actor + " " + string(e.Action)
		if e.KeyID != nil {
			line += " " + e.KeyID.String()
		}
		if e.SellerID == b.seller {
			lines = append(lines, line)
		}
	}
	return lines
}

// Who did what is the system that was authenticated and the person whom it names, whatever came of it.
func TestAudit_everyCallWithItsAuthor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	request := b.request()
	key, _, err := b.keys.Issue(t.Context(), request)
	require.NoError(t, err)
	_, _, err = b.keys.Issue(t.Context(), request)
	require.NoError(t, err)
	view := apikey.ViewRequest{SellerID: b.seller, KeyID: key.ID, Author: lee}
	_, err = b.keys.List(t.Context(), view)
	require.NoError(t, err)
	_, err = b.keys.Reveal(t.Context(), view)
	require.NoError(t, err)
	for range 2 {
		_, err = b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: key.ID, Author: park})
		require.NoError(t, err)
	}
	view.KeyID = uuid.New()
	_, err = b.keys.Reveal(t.Context(), view)
	require.ErrorIs(t, err, apikey.ErrKeyUnknown)
	id := key.ID.String()
	require.Equal(t, []string{
		"console kim register", "console kim issue " + id, "console kim issue_again " + id, "console lee list",
		"console lee reveal " + id, "operator park revoke " + id, "operator park revoke_again " + id,
		"console lee reveal_refused " + view.KeyID.String(),
	}, b.trail(t))
}

func TestTheAuditTrailCannotBeRewritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, sql := range []string{"update key_audit set actor = 'nobody'", "delete from key_audit", "truncate key_audit"} {
		_, err := b.db.Pool.Exec(t.Context(), sql)
		require.ErrorContains(t, err, "append-only", sql)
	}
	require.Equal(t, []string{"console kim register"}, b.trail(t))
}

// Entries of sellers that act at the same moment stand in one chain.
func TestAudit_oneChainForAllSellers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			ctx, seller := context.WithoutCancel(t.Context()), uuid.New()
			for range 5 {
				require.NoError(t, b.keys.Register(ctx, apikey.RegisterRequest{SellerID: seller, Name: "S", Author: lee}))
			}
		})
	}
	wait.Wait()
	entries, err := chain(t, b.store)
	require.NoError(t, err)
	require.Len(t, entries, 41)
}

// Those who can switch the trigger off can write what they want, and are found out.
func TestAudit_alteredEntryIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sql    string
		broken int64
	}{
		"other actor": {"update key_audit set actor = 'lee' where audit_id = 2", 2},
		"other key":   {"update key_audit set key_id = gen_random_uuid() where audit_id = 3", 3},
		"taken out":   {"delete from key_audit where audit_id = 2", 3},
		"inserted": {`insert into key_audit (audit_id, at, caller, actor, action, seller_id, detail, digest) overriding system value
			select 9, at, caller, actor, action, seller_id, detail, digest from key_audit where audit_id = 4`, 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for range 3 {
				b.issue(t)
			}
			for _, sql := range []string{"alter table key_audit disable trigger key_audit_is_append_only", c.sql} {
				_, err := b.db.Pool.Exec(t.Context(), sql)
				require.NoError(t, err)
			}
			_, err := chain(t, b.store)
			var broken *audit.BrokenError
			require.ErrorAs(t, err, &broken)
			require.Equal(t, c.broken, broken.ID)
		})
	}
}

// What was recorded before there was a chain is its beginning.
func TestMigrations_earlierEntriesAreChained(t *testing.T) {
	t.Parallel()
	old := fstest.MapFS{}
	for _, name := range []string{"00001_sellers_and_keys.sql", "00002_key_versions.sql", "00003_published_revocations.sql", "00004_seal.sql"} {
		text, err := fs.ReadFile(store.Migrations(), name)
		require.NoError(t, err)
		old[name] = &fstest.MapFile{Data: text}
	}
	db := pgtest.New(t, old)
	_, err := db.Pool.Exec(t.Context(), `
		insert into key_audit (actor, action, seller_id, key_id, detail) values
			('kim', 'register', gen_random_uuid(), null, '{"name": "가게"}'),
			('lee', 'revoke', gen_random_uuid(), '0190a1b2-0000-7000-8000-000000000001', '{"reason": "leaked", "a": [1, null]}')`)
	require.NoError(t, err)
	require.NoError(t, postgres.Migrate(t.Context(), db.Config, db.Schema, store.Migrations()))
	entries, err := chain(t, store.New(db.Pool))
	require.NoError(t, err)
	require.Len(t, entries, 2)
	require.Equal(t, audit.Author{Caller: "unknown", Actor: "kim"}, entries[0].Author)
}
