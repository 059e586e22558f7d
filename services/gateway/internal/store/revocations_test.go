package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/gateway/internal/apikey"
)

func (b *fixture) revoke(t *testing.T, key apikey.Key) apikey.Key {
	t.Helper()
	ended, err := b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: key.SellerID, KeyID: key.ID, Author: kim})
	require.NoError(t, err)
	return ended
}

func (b *fixture) unpublished(t *testing.T) []uuid.UUID {
	t.Helper()
	keys, err := b.store.Unpublished(t.Context())
	require.NoError(t, err)
	ids := make([]uuid.UUID, len(keys))
	for i, key := range keys {
		ids[i] = key.ID
	}
	return ids
}

// A state that was read before a change must be distinguishable from one read after it.
func TestRevokeKey_versionGrowsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, text := b.issue(t)
	require.Equal(t, 1, key.Version)
	require.Equal(t, 2, b.revoke(t, key).Version)
	require.Equal(t, 2, b.revoke(t, key).Version)
	require.Equal(t, 2, b.find(t, text).Version)
}

// A revocation is unpublished until it is marked, for its own seller; the oldest comes first.
func TestUnpublished_untilMarked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.issue(t)
	first, _ := b.issue(t)
	second, _ := b.issue(t)
	require.Empty(t, b.unpublished(t), "active keys have nothing to publish")
	b.revoke(t, second)
	b.revoke(t, first)
	require.Equal(t, []uuid.UUID{second.ID, first.ID}, b.unpublished(t), "oldest first")

	require.NoError(t, b.store.MarkPublished(t.Context(), uuid.New(), first.ID))
	require.Len(t, b.unpublished(t), 2, "another seller cannot mark the key")
	for range 2 {
		require.NoError(t, b.store.MarkPublished(t.Context(), b.seller, second.ID))
		require.Equal(t, []uuid.UUID{first.ID}, b.unpublished(t))
	}
	b.revoke(t, second)
	require.Equal(t, []uuid.UUID{first.ID}, b.unpublished(t), "a repeated revocation is not published again")
}

func TestPublishedWithin_byPublicationTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	within := func(age time.Duration) (ids []uuid.UUID) {
		keys, err := b.store.PublishedWithin(t.Context(), age)
		require.NoError(t, err)
		for _, key := range keys {
			ids = append(ids, key.ID)
		}
		return ids
	}
	b.issue(t)
	first, _ := b.issue(t)
	second, _ := b.issue(t)
	third, _ := b.issue(t)
	for _, key := range []apikey.Key{first, second, third} {
		b.revoke(t, key)
	}
	require.Empty(t, within(time.Hour), "no key is published yet")
	require.NoError(t, b.store.MarkPublished(t.Context(), b.seller, first.ID))
	require.NoError(t, b.store.MarkPublished(t.Context(), b.seller, second.ID))
	require.Equal(t, []uuid.UUID{second.ID, first.ID}, within(time.Hour))
	_, err := b.db.Pool.Exec(t.Context(), "update api_keys set published_at = published_at - interval '2 minutes' where key_id = $1",
		first.ID)
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{second.ID}, within(time.Minute))
}

// An active key is never marked as published.
func TestMarkPublished_activeKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, _ := b.issue(t)
	require.NoError(t, b.store.MarkPublished(t.Context(), b.seller, key.ID))
	b.revoke(t, key)
	require.Equal(t, []uuid.UUID{key.ID}, b.unpublished(t))
}

// Many unpublished revocations are returned in batches.
func TestUnpublished_inPortions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.db.Pool.Exec(t.Context(), `
		insert into api_keys (key_id, seller_id, request_id, prefix, hash, sealed_text, seal, scopes, purpose, revoked_at, version)
		select gen_random_uuid(), $1, gen_random_uuid(), lpad(n::text, 12, '0'), sha256(n::text::bytea), '', '', '{orders:read}', '',
			now() - n * interval '1 second', 2
		from generate_series(1, 130) n`, b.seller)
	require.NoError(t, err)
	for _, want := range []int{100, 30, 0} {
		ids := b.unpublished(t)
		require.Len(t, ids, want)
		for _, id := range ids {
			require.NoError(t, b.store.MarkPublished(t.Context(), b.seller, id))
		}
	}
}

// An unreachable database is an error, not an empty list of revocations.
func TestRevocations_databaseUnreachable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.store.Unpublished(ctx)
	require.Error(t, err)
	_, err = b.store.PublishedWithin(ctx, time.Hour)
	require.Error(t, err)
	require.Error(t, b.store.MarkPublished(ctx, b.seller, uuid.New()))
}
