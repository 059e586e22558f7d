package signin_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/console/internal/signin"
)

// discovering returns a provider whose discovery document has an address of RP-initiated logout, unless that is empty.
func discovering(t *testing.T, endSession string) *signin.Provider {
	t.Helper()
	var issuer string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		document := map[string]string{
			"issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": issuer + "/token",
			"jwks_uri": issuer + "/keys",
		}
		if endSession != "" {
			document["end_session_endpoint"] = endSession
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(document)
	}))
	t.Cleanup(server.Close)
	issuer = server.URL
	return signin.New(signin.Options{
		Issuer: issuer, ClientID: "console", SignedOutURL: "https://console.example.com/sign-in", Timeout: time.Minute,
	})
}

// The provider signs a person out only at an address that a browser can be sent to, and whose own query it keeps.
func TestSignOut(t *testing.T) {
	t.Parallel()
	const query = "client_id=console&post_logout_redirect_uri=https%3A%2F%2Fconsole.example.com%2Fsign-in&state=ended"
	for address, want := range map[string]string{
		"":                                      "",
		"https://accounts.example.com/out":      "https://accounts.example.com/out?" + query,
		"https://accounts.example.com/out?zone": "https://accounts.example.com/out?" + query + "&zone=",
		"/out":                                  "",
		"javascript:alert(1)":                   "",
		"https://accounts.example.com/%zz":      "",
	} {
		require.Equal(t, want, discovering(t, address).SignOut(t.Context()), address)
	}
	away := signin.New(signin.Options{Issuer: "http://127.0.0.1:1", Timeout: time.Minute})
	require.Empty(t, away.SignOut(t.Context()))
}
