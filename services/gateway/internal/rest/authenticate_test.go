package rest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/keystate"
)

// The error for a missing or blank key states that a key is required, without a look-up.
func TestAuthenticate_missingOrBlankKey(t *testing.T) {
	t.Parallel()
	b := before(t, nil)
	for _, keys := range [][]string{nil, {""}, {" \t "}, {"", ""}} {
		response := b.send(t, with(keys...))
		refused(t, response, http.StatusUnauthorized, "API_KEY_REQUIRED")
	}
	require.InDelta(t, 4, b.refusals(apikey.ReasonMissing), 0)
	require.Zero(t, b.lookups.Load())
}

// expire makes a key expire now, as the gateway would have written it.
func (b *fixture) expire(t *testing.T, key apikey.Key, text string) {
	t.Helper()
	hash, err := b.texts.Read(text)
	require.NoError(t, err)
	past := time.Now().Add(-time.Second).Truncate(time.Microsecond)
	key.ExpiresAt = &past
	_, err = b.db.Pool.Exec(t.Context(), "update api_keys set expires_at = $2, seal = $3 where key_id = $1", key.ID, past,
		b.texts.MAC(key, hash))
	require.NoError(t, err)
}

// alter issues a key and changes its row like an attacker who can write to the database but has no pepper.
func (b *fixture) alter(t *testing.T, change string) (apikey.Key, string) {
	t.Helper()
	key, text := b.key(t)
	b.change(t, key, "update api_keys set "+change+" where key_id = $1")
	return key, text
}

func (b *fixture) change(t *testing.T, key apikey.Key, sql string) {
	t.Helper()
	tag, err := b.db.Pool.Exec(t.Context(), sql, key.ID)
	require.NoError(t, err)
	require.EqualValues(t, 1, tag.RowsAffected())
}

// An attacker who can write to the database but has no pepper gets no valid key: none with more rights or a later expiry, and no
// revoked one.
func TestAuthenticate_alteredRow(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"more scopes":  "scopes = scopes || '{orders:write}'",
		"other expiry": "expires_at = now() + interval '1 day'",
		"no MAC":       "seal = ''",
		"other MAC":    "seal = sha256(seal)",
		"other hash":   "hash = sha256(hash)",
		"revoked":      "revoked_at = now()",
	} {
		b := before(t, nil)
		_, text := b.alter(t, change)
		refused(t, b.send(t, with(text)), http.StatusUnauthorized, "INVALID_API_KEY")
		require.InDelta(t, 1, b.refusals(apikey.ReasonAltered), 0, name)
	}
	b := before(t, nil)
	key, text := b.key(t)
	_, err := b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: key.ID, Author: kim})
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), "update api_keys set revoked_at = null, version = version + 1 where key_id = $1", key.ID)
	require.NoError(t, err)
	refused(t, b.send(t, with(text)), http.StatusUnauthorized, "INVALID_API_KEY")
	require.InDelta(t, 1, b.refusals(apikey.ReasonAltered), 0, "a reverted revocation")
}

// Nor does the attacker get another seller's rights, neither by reassigning the key, nor by pointing its hash to a key of the
// other seller.
func TestAuthenticate_alteredSeller(t *testing.T) {
	t.Parallel()
	const other = "(select seller_id from sellers where name = 'Other')"
	const lead = "update key_hashes h set (seller_id, key_id) = (select k.seller_id, k.key_id from api_keys k where k.seller_id = " +
		other +
		") where h.key_id = $1"
	for name, c := range map[string]struct {
		changes []string
		reason  apikey.Reason
	}{
		"key and hash reassigned": {[]string{
			"update api_keys set seller_id = " + other + " where key_id = $1",
			"update key_hashes set seller_id = " + other + " where key_id = $1",
		}, apikey.ReasonAltered},
		"hash pointed to another key": {[]string{lead}, apikey.ReasonAltered},
		"hash copied to another key": {[]string{
			"update api_keys set hash = (select hash from key_hashes where key_id = $1) where seller_id = " + other,
			lead,
		}, apikey.ReasonAltered},
		"only the key reassigned": {[]string{"update api_keys set seller_id = " + other + " where key_id = $1"}, apikey.ReasonUnknown},
		"only the hash reassigned": {
			[]string{"update key_hashes set seller_id = " + other + " where key_id = $1"},
			apikey.ReasonUnknown,
		},
	} {
		b := before(t, nil)
		stranger := uuid.New()
		require.NoError(t, b.keys.Register(t.Context(), apikey.RegisterRequest{SellerID: stranger, Name: "Other", Author: kim}))
		_, _, err := b.keys.Issue(t.Context(), apikey.IssueRequest{
			SellerID: stranger, Scopes: principal.All(), Author: kim, RequestID: uuid.New(),
		})
		require.NoError(t, err)
		key, text := b.key(t)
		for _, change := range c.changes {
			b.change(t, key, change)
		}
		refused(t, b.send(t, with(text)), http.StatusUnauthorized, "INVALID_API_KEY")
		require.InDelta(t, 1, b.refusals(c.reason), 0, name)
	}
}

// A client that tries keys must not learn whether one ever existed.
func TestAuthenticate_badKeysAnsweredAlike(t *testing.T) {
	t.Parallel()
	b := before(t, nil)
	_, good := b.key(t)
	revoked, revokedText := b.key(t)
	_, err := b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: revoked.ID, Author: kim})
	require.NoError(t, err)
	expired, expiredText := b.key(t)
	b.expire(t, expired, expiredText)
	_, alteredText := b.alter(t, "scopes = '{orders:read}'")
	live, err := apikey.NewTexts(apikey.Live, letters(t, "p"))
	require.NoError(t, err)
	liveText, _ := live.New(uuid.New())
	unknown, _ := b.texts.New(uuid.New())

	cases := map[apikey.Reason][]string{
		apikey.ReasonRepeated:    {good, good},
		apikey.ReasonMalformed:   {"hello"},
		apikey.ReasonEnvironment: {liveText.Reveal()},
		apikey.ReasonForged:      {good[:20] + "x" + good[21:]},
		apikey.ReasonUnknown:     {unknown.Reveal()},
		apikey.ReasonRevoked:     {revokedText},
		apikey.ReasonExpired:     {expiredText},
		apikey.ReasonAltered:     {alteredText},
	}
	if good[20] == 'x' {
		cases[apikey.ReasonForged] = []string{good[:20] + "y" + good[21:]}
	}
	var want string
	var wantHeader http.Header
	for reason, keys := range cases {
		response := b.send(t, with(keys...))
		refused(t, response, http.StatusUnauthorized, "INVALID_API_KEY")
		id := response.header.Get(web.RequestIDHeader)
		require.NotEmpty(t, id)
		got := strings.ReplaceAll(string(response.body), id, "ID")
		response.header.Del(web.RequestIDHeader)
		response.header.Del("Date")
		if want == "" {
			want, wantHeader = got, response.header
		}
		require.Equal(t, want, got, reason)
		require.Equal(t, wantHeader, response.header, reason)
		require.InDelta(t, 1, b.refusals(reason), 0, reason)
	}
	for _, text := range []string{good, revokedText, expiredText, liveText.Reveal(), unknown.Reveal()} {
		require.NotContains(t, b.log.String(), text[apikey.PrefixChars:], "a key in the log")
	}
}

// Only a well-formed key costs a look-up, and only one.
func TestAuthenticate_onlyWellMadeKeysLookUp(t *testing.T) {
	t.Parallel()
	b := before(t, nil)
	_, good := b.key(t)
	for i := range good {
		changed := []byte(good)
		changed[i] ^= 1
		response := b.send(t, with(string(changed)))
		refused(t, response, http.StatusUnauthorized, "INVALID_API_KEY")
	}
	require.Zero(t, b.lookups.Load())
	b.send(t, with(good))
	require.EqualValues(t, 2, b.lookups.Load(), "one for the identity, one for the state in Redis")
	b.send(t, with(good))
	require.EqualValues(t, 2, b.lookups.Load())
}

// A result that arrives so late may be outdated, and must not be treated as an unreachable Redis.
func TestAuthenticate_503DatabaseSlow(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: plenty, slow: keystate.Fence + 50*time.Millisecond}, http.HandlerFunc(rows))
	_, text := b.key(t)
	refused(t, b.send(t, with(text)), http.StatusServiceUnavailable, "")
	require.Greater(t, b.lookups.Load(), int64(2), "one for the identity, several for the state")
}

// A client that gets a 401 discards its key.
func TestAuthenticate_503DatabaseAway(t *testing.T) {
	t.Parallel()
	b := before(t, nil)
	_, good := b.key(t)
	b.db.Pool.Close()
	response := b.send(t, with(good))
	refused(t, response, http.StatusServiceUnavailable, "")
	require.Equal(t, "1", response.header.Get("Retry-After"))
	response = b.send(t, with(good[:len(good)-1]+"-"))
	refused(t, response, http.StatusUnauthorized, "INVALID_API_KEY")
	response = b.send(t, with())
	refused(t, response, http.StatusUnauthorized, "API_KEY_REQUIRED")
}

// A look-up that takes too long results in an unavailable service, not an invalid key.
func TestAuthenticate_503LookupTimeout(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: plenty, lookup: 20 * tick}, nil)
	_, good := b.key(t)
	lock, err := b.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = lock.Rollback(context.WithoutCancel(t.Context())) })
	_, err = lock.Exec(t.Context(), "lock table api_keys in access exclusive mode")
	require.NoError(t, err)
	response := b.send(t, with(good))
	refused(t, response, http.StatusServiceUnavailable, "")
}
