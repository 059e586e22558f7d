package session_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/console/internal/person"
	"sellerapi.dev/services/console/internal/session"
	"sellerapi.dev/services/console/internal/signin"
)

// signIn signs a person in and returns the cookie.
func signIn(t *testing.T, sessions *session.Sessions) *http.Cookie {
	t.Helper()
	ctx, err := sessions.Load(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	require.NoError(t, err)
	require.NoError(t, sessions.SignIn(ctx, signin.Result{Person: person.New("kim", "Kim", []string{"support"})}))
	answer := httptest.NewRecorder()
	require.NoError(t, sessions.Save(ctx, answer))
	response := answer.Result()
	require.NoError(t, response.Body.Close())
	require.Len(t, response.Cookies(), 1)
	return response.Cookies()[0]
}

// With TLS no other host of the domain can set or read the cookie.
func TestCookie(t *testing.T) {
	t.Parallel()
	cookie := signIn(t, session.New(session.Options{Redis: redistest.New(t).Client, Life: time.Hour, Secure: true}))
	require.Equal(t, "__Host-console", cookie.Name)
	require.True(t, cookie.Secure && cookie.HttpOnly)
	require.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
	require.Equal(t, "/", cookie.Path)
	require.Empty(t, cookie.Domain)
}

// Who reads Redis gets no token, and what is there ends by itself.
func TestStored(t *testing.T) {
	t.Parallel()
	redis := redistest.New(t).Client
	sessions := session.New(session.Options{Redis: redis, Life: time.Hour})
	cookie := signIn(t, sessions)
	answer := httptest.NewRecorder()
	require.NoError(t, sessions.Begin(t.Context(), answer, signin.Attempt{State: "state"}))
	attempt := strings.TrimPrefix(strings.Split(answer.Header().Get("Set-Cookie"), ";")[0], "console-attempt=")
	require.Len(t, attempt, 26)
	_, err := sessions.NewForm(t.Context(), session.Form{Subject: "kim", Seller: uuid.NewString(), Purpose: "test"})
	require.NoError(t, err)
	names := redis.Keys(t.Context(), "*").Val()
	require.Len(t, names, 4)
	for _, name := range names {
		require.True(t, strings.HasPrefix(name, "console:"), name)
		require.NotContains(t, name+redis.Get(t.Context(), name).Val(), cookie.Value)
		require.NotContains(t, name+redis.Get(t.Context(), name).Val(), attempt)
		require.Positive(t, redis.TTL(t.Context(), name).Val(), name)
	}
}
