package admission_test

import (
	"context"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/gateway/internal/admission"
)

// After a failover the master's name leads to another server. Existing connections still lead to the old one, which no longer
// accepts writes.
func TestFailover_demotedMasterConnectionsClosed(t *testing.T) {
	t.Parallel()
	old, promoted := redistest.Own(t), redistest.Own(t)
	for _, server := range []*redistest.Server{old, promoted} {
		require.NoError(t, server.Client.ConfigSet(t.Context(), "requirepass", "").Err()) // one name, one login
	}
	var master atomic.Pointer[redistest.Server]
	master.Store(old)
	named := *old
	named.Config.URL = secret.New(through(t, &master))
	client := named.Open(t, telemetrytest.Discard(t), admission.Scripts()...)
	admitter, call := start(t, client)
	admitted := func() bool {
		decision, err := admitter.Charge(context.WithoutCancel(t.Context()), call)
		return err == nil && decision.Verdict == admission.Admitted
	}
	require.True(t, admitted())

	other := admission.New(promoted.Client, limits, locks)
	require.NoError(t, other.PutKey(t.Context(), call.Key, time.Time{}))
	master.Store(promoted)
	require.NoError(t, old.Client.SlaveOf(t.Context(), "127.0.0.1", "1").Err())
	require.Eventually(t, admitted, time.Minute, 20*time.Millisecond)
}

// through returns a URL whose new connections reach the current master.
func through(t *testing.T, master *atomic.Pointer[redistest.Server]) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			address, _ := url.Parse(master.Load().Config.URL.Reveal())
			to, err := net.Dial("tcp", address.Host)
			if err != nil {
				_ = from.Close()
				continue
			}
			go func() { _, _ = io.Copy(to, from); _ = to.Close() }()
			go func() { _, _ = io.Copy(from, to); _ = from.Close() }()
		}
	}()
	return "redis://" + listener.Addr().String()
}
