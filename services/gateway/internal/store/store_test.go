package store_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/store"
)

type fixture struct {
	db     *pgtest.DB
	store  *store.Store
	keys   *apikey.Keys
	texts  *apikey.Texts
	seller uuid.UUID
}

var (
	kim  = audit.Author{Caller: "console", Actor: "kim"}
	lee  = audit.Author{Caller: "console", Actor: "lee"}
	park = audit.Author{Caller: "operator", Actor: "park"}
)

func setup(t *testing.T) *fixture {
	t.Helper()
	db := pgtest.New(t, store.Migrations())
	return setupOn(t, db, db.Pool)
}

// setupOn is setup with the test's own pool.
func setupOn(t *testing.T, db *pgtest.DB, pool *postgres.Pool) *fixture {
	t.Helper()
	peppers, err := secret.NewKeys(bytes.Repeat([]byte("p"), secret.MinKeyBytes))
	require.NoError(t, err)
	texts, err := apikey.NewTexts(apikey.Test, peppers)
	require.NoError(t, err)
	keyset, err := apikey.NewKeyset()
	require.NoError(t, err)
	vault, err := apikey.NewVault(keyset)
	require.NoError(t, err)
	kept := store.New(pool)
	b := &fixture{
		db: db, store: kept, keys: apikey.NewKeys(texts, vault, kept, apikey.DefaultLimits, published),
		texts: texts, seller: uuid.New(),
	}
	require.NoError(t, b.keys.Register(t.Context(), apikey.RegisterRequest{SellerID: b.seller, Name: "Seller", Author: kim}))
	return b
}

func (b *fixture) request() apikey.IssueRequest {
	return apikey.IssueRequest{
		SellerID: b.seller, Scopes: []principal.Scope{"orders:read", "qna:write"}, Purpose: "ERP",
		Author: kim, RequestID: uuid.New(),
	}
}

func (b *fixture) issue(t *testing.T) (apikey.Key, secret.Text) {
	t.Helper()
	key, text, err := b.keys.Issue(t.Context(), b.request())
	require.NoError(t, err)
	return key, text
}

func (b *fixture) find(t *testing.T, text secret.Text) apikey.Key {
	t.Helper()
	hash, err := b.texts.Read(text.Reveal())
	require.NoError(t, err)
	key, err := b.store.FindKey(t.Context(), hash)
	require.NoError(t, err)
	return key.Key
}

func TestIssueKey_foundByItsText(t *testing.T) {
	t.Parallel()
	b := setup(t)
	request := b.request()
	expiry := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	request.ExpiresAt = &expiry
	key, text, err := b.keys.Issue(t.Context(), request)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), key.IssuedAt, time.Minute)
	require.Equal(t, apikey.Key{
		ID: key.ID, SellerID: b.seller, Prefix: text.Reveal()[:12], Scopes: request.Scopes, Purpose: "ERP",
		State: apikey.Active, IssuedAt: key.IssuedAt, ExpiresAt: &expiry, Version: 1,
	}, key)
	require.Equal(t, key, b.find(t, text))
}

// A hash without a key is unknown.
func TestFindKey_unknownHash(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, hash := b.texts.New(uuid.New())
	_, err := b.store.FindKey(t.Context(), hash)
	require.ErrorIs(t, err, apikey.ErrHashUnknown)
}

// The text of a key is stored in no table.
func TestIssueKey_textIsStoredNowhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, text := b.issue(t)
	for _, table := range []string{"sellers", "api_keys", "key_hashes", "key_audit"} {
		var found int
		sql := fmt.Sprintf("select count(*) from %s as row where position($1 in row::text) > 0", table)
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), sql, text.Reveal()[apikey.PrefixChars:]).Scan(&found))
		require.Zero(t, found, table)
	}
}

// Issuing twice with one request id returns one key, in its current state.
func TestIssue_repeatedRequestID(t *testing.T) {
	t.Parallel()
	b := setup(t)
	request := b.request()
	first, firstText, err := b.keys.Issue(t.Context(), request)
	require.NoError(t, err)
	_, err = b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: first.ID, Author: kim})
	require.NoError(t, err)
	again, againText, err := b.keys.Issue(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, firstText, againText)
	require.Equal(t, first.ID, again.ID)
	require.Equal(t, apikey.Revoked, again.State)
}

// Two representatives issue a key concurrently.
func TestIssue_concurrentNeverPassLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const callers = 12
	var wait sync.WaitGroup
	var issued, refused atomic.Int64
	for range callers {
		wait.Go(func() {
			_, _, err := b.keys.Issue(context.WithoutCancel(t.Context()), b.request())
			if err == nil {
				issued.Add(1)
				return
			}
			require.ErrorIs(t, err, apikey.ErrTooMany)
			refused.Add(1)
		})
	}
	wait.Wait()
	require.EqualValues(t, apikey.DefaultLimits.Active, issued.Load())
	require.EqualValues(t, callers-apikey.DefaultLimits.Active, refused.Load())
	keys, err := b.keys.List(t.Context(), apikey.ViewRequest{SellerID: b.seller, Author: kim})
	require.NoError(t, err)
	require.Len(t, keys, apikey.DefaultLimits.Active)
}

// Concurrent issues with one request id return one key.
func TestIssue_concurrentSameRequestID(t *testing.T) {
	t.Parallel()
	b := setup(t)
	request := b.request()
	var wait sync.WaitGroup
	ids := make([]uuid.UUID, 8)
	for i := range ids {
		wait.Go(func() {
			key, _, err := b.keys.Issue(context.WithoutCancel(t.Context()), request)
			require.NoError(t, err)
			ids[i] = key.ID
		})
	}
	wait.Wait()
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
}

// A revoked key makes room for another one when its calls have left every window.
func TestIssue_afterRevocation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var last apikey.Key
	for range apikey.DefaultLimits.Active {
		last, _ = b.issue(t)
	}
	_, _, err := b.keys.Issue(t.Context(), b.request())
	require.ErrorIs(t, err, apikey.ErrTooMany)
	_, err = b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: last.ID, Author: kim})
	require.NoError(t, err)
	_, _, err = b.keys.Issue(t.Context(), b.request())
	require.ErrorIs(t, err, apikey.ErrTooManyLately)
	_, err = b.db.Pool.Exec(t.Context(), "update api_keys set revoked_at = revoked_at - $2::interval where key_id = $1", last.ID,
		apikey.DefaultLimits.Rest)
	require.NoError(t, err)
	b.issue(t)
}

// The prefixes of one seller's keys all differ; the database refuses a prefix that is taken.
func TestIssueKey_prefixesDiffer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mint := func(taken map[string]bool) (apikey.Minted, error) {
		id := uuid.New()
		text, hash := b.texts.New(id)
		prefix := text.Reveal()[:apikey.PrefixChars]
		require.False(t, taken[prefix])
		for other := range taken {
			prefix = other // the error that the constraint must catch
		}
		found := apikey.Found{Key: apikey.Key{ID: id, Prefix: prefix}, Hash: hash, MAC: []byte(rand.Text())}
		return apikey.Minted{Found: found, Encrypted: []byte(rand.Text())}, nil
	}
	_, err := b.store.IssueKey(t.Context(), b.request(), apikey.DefaultLimits, mint)
	require.NoError(t, err)
	_, err = b.store.IssueKey(t.Context(), b.request(), apikey.DefaultLimits, mint)
	require.ErrorContains(t, err, "api_keys_prefix")
}

// A key expires by the clock of the database.
func TestFindKey_expiresByDatabaseClock(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, text := b.issue(t)
	_, err := b.db.Pool.Exec(t.Context(), "update api_keys set expires_at = clock_timestamp() where key_id = $1", key.ID)
	require.NoError(t, err)
	require.Equal(t, apikey.Expired, b.find(t, text).State)
}

// The active keys are those that a call may use, exactly as its look-up finds them, and at most as many as requested.
func TestListActiveKeys_onlyUsableOnes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ended, _ := b.issue(t)
	_, err := b.db.Pool.Exec(t.Context(), "update api_keys set expires_at = clock_timestamp() where key_id = $1", ended.ID)
	require.NoError(t, err)
	revoked, _ := b.issue(t)
	_, err = b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: revoked.ID, Author: kim})
	require.NoError(t, err)
	_, text := b.issue(t)
	hash, err := b.texts.Read(text.Reveal())
	require.NoError(t, err)
	want, err := b.store.FindKey(t.Context(), hash)
	require.NoError(t, err)
	active, err := b.store.ListActiveKeys(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, []apikey.Found{want}, active)
	b.issue(t)
	active, err = b.store.ListActiveKeys(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, active, 1)
}

// Registering a seller again changes the name only.
func TestRegister_againChangesNameOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.keys.Register(t.Context(), apikey.RegisterRequest{SellerID: b.seller, Name: "Renamed", Author: kim}))
	var names []string
	rows, _ := b.db.Pool.Query(t.Context(), "select name from sellers")
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"Renamed"}, names)
}

// published is for tests without a gateway that would have to be told of a revocation.
func published(context.Context, apikey.Key) error { return nil }
