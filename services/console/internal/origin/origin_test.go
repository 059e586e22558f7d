package origin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/console/internal/origin"
)

// A console at an address without TLS would send sessions in the clear, so only that of a developer's machine is accepted.
func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]origin.Origin{
		"https://console.example.com":  {URL: "https://console.example.com", Secure: true},
		"https://console.example.com/": {URL: "https://console.example.com", Secure: true},
		"http://127.0.0.1:8090":        {URL: "http://127.0.0.1:8090"},
		"http://[::1]:8090":            {URL: "http://[::1]:8090"},
		"http://localhost:8090":        {URL: "http://localhost:8090"},
		"http://console.example.com":   {},
		"http://127.0.0.1.example.com": {},
		"https://user:pw@example.com":  {},
		"https://example.com/console":  {},
		"https://example.com?a=b":      {},
		"ftp://example.com":            {},
		"console.example.com":          {},
		"":                             {},
	} {
		got, err := origin.Parse(text)
		require.Equal(t, want, got, text)
		require.Equal(t, want == origin.Origin{}, err != nil, text)
	}
}

// The client secret and codes travel to the provider, and tokens to the gateway.
func TestIssuerAndInternal(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string][2]bool{
		"https://id.example.com/realms/a": {true, false},
		"https://id.example.com":          {true, true},
		"http://id.example.com":           {false, true},
		"http://127.0.0.1:9000/oidc":      {true, false},
		"http://gateway:8081":             {false, true},
		"gateway:8081":                    {false, false},
	} {
		require.Equal(t, ok[0], origin.Issuer(text) == nil, text)
		require.Equal(t, ok[1], origin.Internal(text) == nil, text)
	}
}
