package pages_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/console/internal/pages"
)

func fetch(t *testing.T, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	pages.Assets().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return w
}

// Every file that a page names is served, for good; no other is.
func TestAssets_served(t *testing.T) {
	t.Parallel()
	found := regexp.MustCompile(`"(/assets/[^"]*)"`)
	for _, s := range samples() {
		for _, name := range found.FindAllStringSubmatch(s.render(t, apierr.English), -1) {
			w := fetch(t, name[1])
			require.Equal(t, http.StatusOK, w.Code, name[1])
			require.Equal(t, "public, max-age=31536000, immutable", w.Header().Get("Cache-Control"))
			require.NotEmpty(t, w.Header().Get("Content-Type"))
		}
	}
	for _, path := range []string{"/assets/", "/assets/console.css", "/assets/../pages.go"} {
		require.Equal(t, http.StatusNotFound, fetch(t, path).Code, path)
	}
}

// The library is the published one, byte for byte.
func TestAssets_libraryUnchanged(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"uplot.js":  "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
		"uplot.css": "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
	} {
		text, err := os.ReadFile("assets/" + name)
		require.NoError(t, err)
		digest := sha256.Sum256(text)
		require.Equal(t, want, hex.EncodeToString(digest[:]), name)
	}
}
