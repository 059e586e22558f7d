package apikey

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/principal"
)

// The state of a key is determined first by its revocation and then by its expiry.
func TestState_revocationBeforeExpiry(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	before, after := now.Add(-time.Microsecond), now.Add(time.Microsecond)
	cases := []struct {
		expires, revoked *time.Time
		want             State
	}{
		{nil, nil, Active},
		{&after, nil, Active},
		{&now, nil, Expired},
		{&before, nil, Expired},
		{&after, &before, Revoked},
		{&before, &before, Revoked},
	}
	for i, c := range cases {
		require.Equal(t, c.want, StateAt(now, c.expires, c.revoked), "case %d", i)
	}
}

func held(n int, state State) []Held {
	keys, longAgo := make([]Held, n), time.Now().Add(-time.Hour)
	for i := range keys {
		keys[i] = Held{Key: Key{ID: uuid.New(), State: state, RevokedAt: &longAgo, ExpiresAt: &longAgo}, RequestID: uuid.New()}
	}
	return keys
}

// Only active keys count towards the limit on a seller's keys, whatever an installation sets it to.
func TestDecide_onlyActiveKeysCount(t *testing.T) {
	t.Parallel()
	now, request := time.Now(), IssueRequest{RequestID: uuid.New()}
	for _, ceiling := range []int{1, DefaultLimits.Active, 12} {
		limits := DefaultLimits
		limits.Active = ceiling
		_, again, err := Decide(slices.Concat(held(ceiling-1, Active), held(9, Revoked), held(9, Expired)), request, limits, now)
		require.NoError(t, err)
		require.False(t, again)
		_, _, err = Decide(held(ceiling, Active), request, limits, now)
		require.ErrorIs(t, err, ErrTooMany)
	}
}

// Every key has its own window, so a key that replaces a revoked one must not lead to a sixth
// window.
func TestDecide_endedALittleAgo(t *testing.T) {
	t.Parallel()
	now, request, limits := time.Now(), IssueRequest{RequestID: uuid.New()}, Limits{Active: 5, PerDay: 100, Rest: time.Minute}
	within, before, later := now.Add(-time.Minute+1), now.Add(-time.Minute), now.Add(time.Hour)
	for name, c := range map[string]struct {
		ended Key
		want  error
	}{
		"revoked recently":          {Key{State: Revoked, RevokedAt: &within}, ErrTooManyLately},
		"revoked earlier":           {Key{State: Revoked, RevokedAt: &before}, nil},
		"revoked before its expiry": {Key{State: Revoked, RevokedAt: &before, ExpiresAt: &later}, nil},
		"expired recently":          {Key{State: Expired, ExpiresAt: &within}, ErrTooManyLately},
		"expired earlier":           {Key{State: Expired, ExpiresAt: &before}, nil},
		"revoked after its expiry":  {Key{State: Revoked, RevokedAt: &within, ExpiresAt: &before}, ErrTooManyLately},
	} {
		_, _, err := Decide(append(held(DefaultLimits.Active-1, Active), Held{Key: c.ended, RequestID: uuid.New()}),
			request, limits, now)
		require.ErrorIs(t, err, c.want, name)
		_, _, err = Decide(append(held(DefaultLimits.Active-2, Active), Held{Key: c.ended, RequestID: uuid.New()}),
			request, limits, now)
		require.NoError(t, err, name)
	}
}

// Whoever is refused a key learns every limit and for how long an ended key counts, whichever limit it was: a console that
// revokes a key to make room, and issues at once, is refused again.
func TestDecide_refusalStatesLimits(t *testing.T) {
	t.Parallel()
	now, limits := time.Now(), Limits{Active: 5, PerDay: 10, Rest: RestFor(time.Minute)}
	lately := held(5, Revoked)
	today := held(10, Revoked)
	for i := range lately {
		lately[i].RevokedAt = &now
	}
	for i := range today {
		today[i].IssuedAt = now
	}
	for reason, keys := range map[error][]Held{ErrTooMany: held(5, Active), ErrTooManyLately: lately, ErrTooManyADay: today} {
		_, _, err := Decide(keys, IssueRequest{RequestID: uuid.New()}, limits, now)
		require.ErrorIs(t, err, reason)
		require.EqualError(t, err,
			reason.Error()+"; a seller has at most 5 active keys, a key that was revoked or has expired counts as active for "+
				"another 120 seconds, and at most 10 keys are issued in 24 hours")
	}
}

// A seller that issues and revokes in turn would have a fresh window of calls with each key.
func TestDecide_keysOfADay(t *testing.T) {
	t.Parallel()
	now, request := time.Now(), IssueRequest{RequestID: uuid.New()}
	ofDay := held(3, Revoked)
	for i := range ofDay {
		ofDay[i].IssuedAt = now.Add(-24*time.Hour + time.Duration(i))
	}
	_, _, err := Decide(ofDay, request, Limits{Active: 5, PerDay: 3}, now)
	require.NoError(t, err, "the first is a day old")
	_, _, err = Decide(ofDay, request, Limits{Active: 5, PerDay: 2}, now)
	require.ErrorIs(t, err, ErrTooManyADay)
	request.RequestID, request.ExpiresAt = ofDay[2].RequestID, ofDay[2].ExpiresAt
	_, again, err := Decide(ofDay, request, Limits{Active: 5, PerDay: 2}, now)
	require.NoError(t, err, "a repetition issues nothing")
	require.True(t, again)
}

func TestIssue_repeatedAtLimitAndPastExpiry(t *testing.T) {
	t.Parallel()
	now := time.Now()
	past := now.Add(-time.Hour)
	keys := slices.Concat(held(DefaultLimits.Active, Active), held(1, Expired))
	keys[DefaultLimits.Active].ExpiresAt = &past
	first := keys[DefaultLimits.Active]
	key, again, err := Decide(keys, IssueRequest{RequestID: first.RequestID, ExpiresAt: &past}, DefaultLimits, now)
	require.NoError(t, err)
	require.True(t, again)
	require.Equal(t, first.Key, key)
}

// A repetition with other content must not return the earlier key with its rights.
func TestDecide_otherContent(t *testing.T) {
	t.Parallel()
	now := time.Now()
	expiry, later := now.Add(time.Hour).Truncate(time.Microsecond), now.Add(2*time.Hour)
	finer := expiry.Add(time.Nanosecond) // more precise than the stored time
	issued := held(1, Active)
	issued[0].Scopes, issued[0].Purpose, issued[0].ExpiresAt = []principal.Scope{"orders:read"}, "ERP", &expiry
	same := IssueRequest{RequestID: issued[0].RequestID, Scopes: []principal.Scope{"orders:read"}, Purpose: "ERP", ExpiresAt: &finer}
	for name, c := range map[string]struct {
		change func(*IssueRequest)
		want   error
	}{
		"same":                   {func(*IssueRequest) {}, nil},
		"same, by another actor": {func(r *IssueRequest) { r.Author.Actor = "lee" }, nil},
		"more scopes":            {func(r *IssueRequest) { r.Scopes = principal.All() }, ErrOtherContent},
		"other scope":            {func(r *IssueRequest) { r.Scopes = []principal.Scope{"qna:read"} }, ErrOtherContent},
		"other purpose":          {func(r *IssueRequest) { r.Purpose = "shop" }, ErrOtherContent},
		"later expiry":           {func(r *IssueRequest) { r.ExpiresAt = &later }, ErrOtherContent},
		"without expiry":         {func(r *IssueRequest) { r.ExpiresAt = nil }, ErrOtherContent},
	} {
		request := same
		c.change(&request)
		_, again, err := Decide(issued, request, DefaultLimits, now)
		require.ErrorIs(t, err, c.want, name)
		require.Equal(t, c.want == nil, again, name)
	}
	issued[0].ExpiresAt = nil
	_, _, err := Decide(issued, same, DefaultLimits, now)
	require.ErrorIs(t, err, ErrOtherContent, "an added expiry")
}

// No key of a live environment opens a sandbox.
func TestIssue_sandboxInTestOnly(t *testing.T) {
	t.Parallel()
	keys := &Keys{texts: &Texts{environment: Live}}
	_, _, err := keys.Issue(t.Context(), IssueRequest{Scopes: []principal.Scope{"orders:read", principal.Sandbox}})
	require.ErrorIs(t, err, apierr.ValidationError)
	var form Form
	require.Equal(t, []principal.Scope{"qna:read", principal.Sandbox}, form.Scopes("scopes", []string{"sandbox", "qna:read"}))
	require.NoError(t, form.Err())
}

// The expiry of a new key must lie in the future.
func TestDecide_expiryInTheFuture(t *testing.T) {
	t.Parallel()
	now := time.Now()
	_, _, err := Decide(nil, IssueRequest{RequestID: uuid.New(), ExpiresAt: &now}, DefaultLimits, now)
	require.ErrorIs(t, err, apierr.ValidationError)
	later := now.Add(time.Microsecond)
	_, _, err = Decide(nil, IssueRequest{RequestID: uuid.New(), ExpiresAt: &later}, DefaultLimits, now)
	require.NoError(t, err)
}

// A form reports every problem at once, each with its field.
func TestForm_allProblemsAtOnce(t *testing.T) {
	t.Parallel()
	var form Form
	form.UUID("seller_id", "")
	form.UUID("request_id", "{"+uuid.NewString()+"}")
	form.UUID("key_id", uuid.Nil.String())
	form.Text("actor", " \t ")
	form.OptionalText("purpose", strings.Repeat("가", 201))
	form.OptionalText("reason", "a\x00b")
	form.OptionalText("name", "a\xff")
	form.Scopes("scopes", []string{"orders:read", "orders:admin"})
	form.Scopes("none", nil)
	year := time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC)
	form.Time("expires_at", &year)
	require.Equal(t, []string{
		"seller_id required", "request_id malformed", "key_id malformed", "actor required", "purpose too_long", "reason control",
		"name encoding", "scopes[1] not_allowed", "none too_few", "expires_at range",
	}, problems(t, form.Err()))
}

func problems(t *testing.T, err error) []string {
	t.Helper()
	var failure *apierr.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, apierr.ValidationError, failure.Code)
	fields, ok := failure.Data["errors"].([]apierr.FieldError)
	require.True(t, ok)
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Field + " " + field.Code
	}
	return names
}

func TestScopes_uniqueInSpecificationOrder(t *testing.T) {
	t.Parallel()
	var form Form
	scopes := form.Scopes("scopes", []string{"qna:write", "orders:read", "qna:write"})
	require.NoError(t, form.Err())
	require.Equal(t, []principal.Scope{"orders:read", "qna:write"}, scopes)
}

// An expiry is stored as an instant in UTC, in whole microseconds.
func TestForm_expiryInMicroseconds(t *testing.T) {
	t.Parallel()
	var form Form
	at := time.Date(2030, 1, 1, 9, 0, 0, 123456789, time.FixedZone("KST", 9*3600))
	got := form.Time("expires_at", &at)
	require.NoError(t, form.Err())
	require.Equal(t, time.Date(2030, 1, 1, 0, 0, 0, 123456000, time.UTC), *got)
	require.Nil(t, form.Time("expires_at", nil))
}
