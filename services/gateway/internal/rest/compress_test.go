package rest_test

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

func page(n int) string { return `{"data":"` + strings.Repeat("order 한 ", n/9) + `"}` }

func answering(t *testing.T, body string, announced bool) (*fixture, string) {
	t.Helper()
	b := before(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		if announced {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		}
		for chunk := range strings.SplitSeq(body, ",") {
			_, _ = io.WriteString(w, chunk)
		}
	})
	_, text := b.key(t)
	return b, text
}

func plain(t *testing.T, encoding string, body []byte) string {
	t.Helper()
	var reader io.Reader = bytes.NewReader(body)
	switch encoding {
	case "gzip":
		unzip, err := gzip.NewReader(reader)
		require.NoError(t, err)
		reader = unzip
	case "zstd":
		decoder, err := zstd.NewReader(reader)
		require.NoError(t, err)
		defer decoder.Close()
		reader = decoder
	}
	content, err := io.ReadAll(reader)
	require.NoError(t, err)
	return string(content)
}

// Responses have the encoding that the client prefers.
func TestCompress_preferredEncoding(t *testing.T) {
	t.Parallel()
	body := page(100_000)
	cases := []struct {
		accept []string
		want   string
	}{
		{nil, ""},
		{[]string{""}, ""},
		{[]string{"identity"}, ""},
		{[]string{"br, deflate"}, ""},
		{[]string{"gzip"}, "gzip"},
		{[]string{"GZIP"}, "gzip"},
		{[]string{"zstd"}, "zstd"},
		{[]string{"gzip, zstd"}, "zstd"},
		{[]string{"gzip;q=1, zstd;q=0.5"}, "gzip"},
		{[]string{"gzip;q=0.5, zstd;q=0.9"}, "zstd"},
		{[]string{"gzip;q=0"}, ""},
		{[]string{"gzip;q=0, zstd;q=0"}, ""},
		{[]string{"br", "gzip"}, "gzip"},
	}
	for _, announced := range []bool{true, false} {
		b, text := answering(t, body, announced)
		for _, c := range cases {
			sent := with(text)
			sent.header["Accept-Encoding"] = c.accept
			response := b.send(t, sent)
			require.Equal(t, c.want, response.header.Get("Content-Encoding"), "%v", c.accept)
			require.Equal(t, body, plain(t, c.want, response.body), "%v", c.accept)
			require.Equal(t, "Accept-Encoding", response.header.Get("Vary"))
			require.Equal(t, "application/json; charset=utf-8", response.header.Get("Content-Type"))
			if c.want != "" {
				require.Less(t, len(response.body), len(body)/5)
				require.Contains(t, []int64{-1, int64(len(response.body))}, response.length)
			}
		}
	}
}

// A small response is not compressed and keeps its length.
func TestCompress_smallAnswer(t *testing.T) {
	t.Parallel()
	body := page(500)
	b, text := answering(t, body, true)
	sent := with(text)
	sent.header.Set("Accept-Encoding", "gzip, zstd")
	response := b.send(t, sent)
	require.Empty(t, response.header.Get("Content-Encoding"))
	require.Equal(t, int64(len(body)), response.length)
	require.Equal(t, body, string(response.body))
	require.Equal(t, "Accept-Encoding", response.header.Get("Vary"))
}

// A compressor that is closed in the middle writes a valid end; the connection must reveal that the response is incomplete.
func TestCompress_brokenOffAnswer(t *testing.T) {
	t.Parallel()
	noise := strings.Repeat(hex.EncodeToString([]byte("some noise")), 20_000)
	for _, announced := range []bool{true, false} {
		b := before(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if announced {
				w.Header().Set("Content-Length", strconv.Itoa(2*len(noise)))
			}
			_, _ = io.WriteString(w, noise)
			panic(http.ErrAbortHandler)
		})
		_, text := b.key(t)
		for _, accept := range []string{"identity", "gzip", "zstd"} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/open/v1/orders", nil)
			require.NoError(t, err)
			request.Header.Set("X-Api-Key", text)
			request.Header.Set("Accept-Encoding", accept)
			response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
			if err == nil { // otherwise not even the header has left the buffers
				_, err = io.ReadAll(response.Body)
				require.NoError(t, response.Body.Close())
			}
			require.ErrorContains(t, err, "EOF", "%s, announced: %v", accept, announced)
		}
	}
}
