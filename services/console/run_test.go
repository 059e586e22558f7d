package console

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
)

// What a service gets from the console opens no other: a service that was taken over cannot read texts of keys with it.
func TestClients_oneAudience(t *testing.T) {
	t.Parallel()
	config := Config{
		SigningConfig:  service.SigningConfig{SigningKey: trusttest.Key(trust.Console)},
		UpstreamConfig: service.UpstreamConfig{Upstreams: service.Upstreams{}},
	}
	sent := map[operation.Service]string{}
	for _, name := range operation.Services() {
		receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			sent[name] = strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		}))
		t.Cleanup(receiver.Close)
		config.Upstreams[name] = receiver.URL
	}
	all, err := config.clients(telemetrytest.Discard(t))
	require.NoError(t, err)
	t.Cleanup(all.close)
	for name, address := range config.Upstreams {
		_, _ = find(name, all[name], address)(context.WithoutCancel(t.Context()), "s", "1") // the receiver answers no RPC
		_, payload, _ := strings.Cut(sent[name], ".")
		payload, _, _ = strings.Cut(payload, ".")
		content, err := base64.RawURLEncoding.DecodeString(payload)
		require.NoError(t, err)
		var claims struct{ Aud []string }
		require.NoError(t, json.Unmarshal(content, &claims))
		require.Equal(t, []string{string(name)}, claims.Aud)
	}
}
