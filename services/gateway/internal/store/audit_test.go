package store_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/store"
)

// chain reads and verifies the whole trail; err states where it is broken.
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
		if e.SellerID != nil && *e.SellerID == b.seller {
			lines = append(lines, line)
		}
	}
	return lines
}

// The author of an action is the authenticated system and the person that it names, whatever the result.
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

// A value that a refused call did not name is missing in its entry only; the reason of the refusal is in the detail.
func TestAudit_refusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.keys.Reveal(t.Context(), apikey.ViewRequest{SellerID: b.seller, KeyID: uuid.New(), Author: lee})
	require.ErrorIs(t, err, apikey.ErrKeyUnknown)
	for _, action := range []audit.Action{audit.Registered, audit.Issued, audit.Listed, audit.Revealed, audit.Revoked} {
		require.NoError(t, b.store.RecordRefusal(t.Context(), audit.Refusal{
			Author: audit.Author{Caller: "qna"}, Action: action, Cause: audit.NotPermitted,
		}))
	}
	entries, err := chain(t, b.store)
	require.NoError(t, err)
	require.Len(t, entries, 7)
	require.JSONEq(t, `{"cause": "key_unknown"}`, entries[1].Detail)
	require.Nil(t, entries[2].SellerID)
	require.Nil(t, entries[2].KeyID)
	require.Equal(t, audit.Author{Caller: "qna"}, entries[2].Author)
	require.JSONEq(t, `{"cause": "permission_denied"}`, entries[2].Detail)

	for _, c := range []struct{ actor, seller string }{{"''", "gen_random_uuid()"}, {"'kim'", "null"}} {
		_, err := b.db.Pool.Exec(t.Context(), `insert into key_audit (seq, at, caller, actor, action, seller_id, detail, digest)
			select 100, now(), 'console', `+c.actor+`, 'list', `+c.seller+`, '{}', digest from key_audit where seq = 1`)
		require.ErrorContains(t, err, "key_audit_named")
	}
}

// The gateway itself cannot change or delete entries.
func TestAudit_cannotBeRewritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	gateway := b.db.AsService(t)
	for _, sql := range []string{"update key_audit set actor = 'nobody'", "delete from key_audit", "truncate key_audit"} {
		_, err := gateway.Exec(t.Context(), sql)
		require.ErrorContains(t, err, "permission denied", sql)
	}
	require.Equal(t, []string{"console kim register"}, b.trail(t))
}

// Entries of sellers that act concurrently form one chain.
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
	for i, entry := range entries {
		require.EqualValues(t, i+1, entry.ID)
	}
}

// The owner of the table can write anything, but it is detected.
func TestAudit_alteredEntryIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sql    string
		broken int64
	}{
		"other actor":   {"update key_audit set actor = 'lee' where seq = 2", 2},
		"other key":     {"update key_audit set key_id = gen_random_uuid() where seq = 3", 3},
		"removed entry": {"delete from key_audit where seq = 2", 3},
		"inserted": {`insert into key_audit (seq, at, caller, actor, action, seller_id, detail, digest)
			select 9, at, caller, actor, action, seller_id, detail, digest from key_audit where seq = 4`, 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for range 3 {
				b.issue(t)
			}
			_, err := b.db.Pool.Exec(t.Context(), c.sql)
			require.NoError(t, err)
			_, err = chain(t, b.store)
			var broken *audit.BrokenError
			require.ErrorAs(t, err, &broken)
			require.Equal(t, c.broken, broken.ID)
		})
	}
}
