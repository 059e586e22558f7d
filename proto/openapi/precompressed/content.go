// Package precompressed serves content that does not change while a process runs: it is compressed once, not for each request,
// and a client that already has it gets a 304 without a body. No key is needed to read it, so every response has to be cheap.
package precompressed

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Content is one text, plain and compressed. It is an [http.Handler] for GET requests; the caller sets its media type and
// Cache-Control before.
type Content struct {
	plain   []byte // nil: only the compressed form is held
	zipped  []byte
	version string
}

// New compresses a text.
func New(plain []byte) Content {
	var zipped bytes.Buffer
	writer, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression) // the level exists
	_, _ = writer.Write(plain)                                      // a buffer never fails
	_ = writer.Close()
	return Content{plain: plain, zipped: zipped.Bytes(), version: versionOf(plain)}
}

// FromGzip returns content of which only the compressed form is held, with its version, so that nothing has to be read before the
// first request. For the few clients that do not accept gzip it is decompressed while it is sent.
func FromGzip(zipped []byte, version string) Content {
	return Content{zipped: zipped, version: version}
}

func versionOf(content []byte) string {
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:8])
}

// Version returns the version of the content: 16 hexadecimal digits that change if and only if the content does.
func (c Content) Version() string { return c.version }

// ETag returns the entity tag of the plain text, including quotes. The compressed form has a tag of its own, as strong tags must.
func (c Content) ETag() string { return `"` + c.version + `"` }

// ServeHTTP responds with the content in the form that the client accepts, or with 304 if the client has it in one of them.
func (c Content) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	if !slices.Contains(header.Values("Vary"), "Accept-Encoding") {
		header.Add("Vary", "Accept-Encoding")
	}
	header.Set("X-Content-Type-Options", "nosniff")
	zipped := acceptsGzip(r.Header.Values("Accept-Encoding"))
	header.Set("ETag", c.ETag())
	if zipped {
		header.Set("ETag", c.zippedETag())
	}
	if c.namedBy(r.Header.Values("If-None-Match")) {
		header.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	switch {
	case zipped:
		header.Set("Content-Encoding", "gzip")
		send(w, c.zipped)
	case c.plain != nil:
		send(w, c.plain)
	default:
		c.decompress(w)
	}
}

// ServePage responds with the content as a page under a Content-Security-Policy, which no other site may frame. Browsers may
// cache it, and ask before each use.
func (c Content) ServePage(w http.ResponseWriter, r *http.Request, policy string) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "public, no-cache")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.ServeHTTP(w, r)
}

func (c Content) zippedETag() string { return `"` + c.version + `-gzip"` }

// send writes a body of known length. Write errors are ignored: a broken connection has no reader.
func send(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}

func (c Content) decompress(w http.ResponseWriter) {
	plain, err := gzip.NewReader(bytes.NewReader(c.zipped))
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	_, _ = io.Copy(w, plain)
}

// namedBy reports whether an If-None-Match header names this version in one of its forms. A proxy may have made the tag weak.
func (c Content) namedBy(lines []string) bool {
	for _, line := range lines {
		for tag := range strings.SplitSeq(line, ",") {
			switch strings.TrimPrefix(strings.TrimSpace(tag), "W/") {
			case c.ETag(), c.zippedETag(), "*":
				return true
			}
		}
	}
	return false
}

// acceptsGzip reports whether an Accept-Encoding header names gzip, or anything, without a weight of zero.
func acceptsGzip(lines []string) bool {
	for _, line := range lines {
		for coding := range strings.SplitSeq(line, ",") {
			name, parameters, _ := strings.Cut(coding, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			if (name == "gzip" || name == "*") && !weightless(parameters) {
				return true
			}
		}
	}
	return false
}

// weightless reports whether the parameters of a coding refuse it, as "q=0" and "q=0.000" do.
func weightless(parameters string) bool {
	name, weight, ok := strings.Cut(strings.TrimSpace(parameters), "=")
	if !ok || !strings.EqualFold(strings.TrimSpace(name), "q") {
		return false
	}
	value, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
	return err == nil && value == 0
}
