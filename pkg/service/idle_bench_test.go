package service

import (
	"io"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkIdle measures the memory that a service holds after a burst on 200 connections that stay open: as the runtime leaves
// it, and returned to the system as releaseWhenIdle does.
func BenchmarkIdle(b *testing.B) {
	for _, c := range []struct {
		name    string
		release func()
	}{{"left", func() {}}, {"released", debug.FreeOSMemory}} {
		b.Run(c.name, func(b *testing.B) {
			var held float64
			for b.Loop() {
				held += heldAfterBurst(b, c.release)
			}
			b.ReportMetric(held/float64(b.N)/(1<<20), "held-MiB")
		})
	}
}

// heldAfterBurst opens 200 connections with a response of 256 KiB each, and returns the bytes still held from the system after
// release.
func heldAfterBurst(b *testing.B, release func()) float64 {
	b.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(strings.Repeat("x", 256<<10)))
	}))
	defer server.Close()
	var burst sync.WaitGroup
	for range 200 {
		burst.Go(func() { requireRead(b, server) })
	}
	burst.Wait()
	release()
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	held := samples[0].Value.Uint64() - samples[1].Value.Uint64()
	require.NotZero(b, held)
	debug.FreeOSMemory() // the next round begins in the same state
	return float64(held)
}

func requireRead(b *testing.B, server *httptest.Server) {
	b.Helper()
	response, err := server.Client().Get(server.URL)
	require.NoError(b, err)
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(b, err)
	require.NoError(b, response.Body.Close())
}
