package gateway_test

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// answering returns a gateway that sends the same responses to every request with the wanted key.
func answering(t *testing.T, wantedKey string, bodies ...string) string {
	t.Helper()
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.String() != "/open/v1/orders?limit=1" || r.Header.Get("X-Api-Key") != wantedKey {
			http.NotFound(w, r)
			return
		}
		n := min(int(calls.Add(1)), len(bodies))
		_, _ = w.Write([]byte(bodies[n-1]))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestSmokeCommand_keyFromFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(file, []byte("vpk_test_x\n"), 0o600))
	o := &operator{t: t, environment: []string{"API_KEY_FILE=" + file}}
	url := answering(t, "vpk_test_x", `{"meta":{"code":200},"data":{"list":[],"next_cursor":null}}`)
	require.Contains(t, o.run("smoke", "--url", url), "responds correctly (attempt 1)")
}

func TestSmokeCommand_withoutKey(t *testing.T) {
	t.Parallel()
	o := &operator{t: t}
	url := answering(t, "", `{"meta":{"code":401,"error_code":"API_KEY_REQUIRED"},"data":null}`)
	require.Contains(t, o.run("smoke", "--url", url+"/"), "responds correctly")
}

func TestSmokeCommand_retriesUntilTimeout(t *testing.T) {
	t.Parallel()
	o := &operator{t: t}
	url := answering(t, "", "starting", `{"meta":{"code":503},"data":null}`,
		`{"meta":{"code":401,"error_code":"API_KEY_REQUIRED"},"data":null}`)
	require.Contains(t, o.run("smoke", "--url", url, "--wait", "1m"), "(attempt 3)")
}

func TestSmokeCommand_reportsUnexpectedAnswer(t *testing.T) {
	t.Parallel()
	o := &operator{t: t, environment: []string{"API_KEY=k"}}
	for body, problem := range map[string]string{
		`no envelope`: "not an envelope",
		`{"meta":{"code":503,"message":"try later","error_code":"RATE_LIMIT_UNAVAILABLE"}}`: "answered 503 RATE_LIMIT_UNAVAILABLE",
		`{"meta":{"code":200},"data":{}}`: "without a list",
	} {
		_, told, err := o.try("smoke", "--url", answering(t, "k", body))
		require.Error(t, err)
		require.Contains(t, told, problem)
	}
	_, told, err := o.try("smoke", "--url", "http://127.0.0.1:1")
	require.Error(t, err)
	require.Contains(t, told, "refused")
}

// The pod of `helm test` has the CA of the gateway's certificate and no other TLS file.
func TestSmokeCommand_TLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"meta":{"code":401,"error_code":"API_KEY_REQUIRED"},"data":null}`))
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ca.crt"), authority, 0o600))
	o := &operator{t: t, environment: []string{"TLS_DIR=" + dir}}
	require.Contains(t, o.run("smoke", "--url", server.URL), "responds correctly")
}
