package openapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the document
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

//go:embed seller-open-api.yaml
var source []byte

// Document is the contract in one of its two notations. It is an [http.Handler] for GET requests: it answers with the
// document, or with 304 when the client names the version that it has.
type Document struct {
	content     []byte
	contentType string
	etag        string
}

// YAML is the document as it was written.
func YAML() Document { return yamlDocument() }

// JSON is the same document as compact JSON, its members in the order in which they were written.
func JSON() Document { return jsonDocument() }

var yamlDocument = sync.OnceValue(func() Document { return newDocument(source, "application/yaml") })

var jsonDocument = sync.OnceValue(func() Document {
	content, err := toJSON(source)
	if err != nil {
		panic(err) // only for a document that no test has seen: it is part of the program
	}
	return newDocument(content, "application/json")
})

func newDocument(content []byte, contentType string) Document {
	digest := sha256.Sum256(content)
	return Document{content: content, contentType: contentType, etag: `"` + hex.EncodeToString(digest[:8]) + `"`}
}

// Bytes returns a copy of the text.
func (d Document) Bytes() []byte { return bytes.Clone(d.content) }

// ContentType is the media type of the text.
func (d Document) ContentType() string { return d.contentType }

// ETag names the version of the text, quotes included: it changes if and only if the text does.
func (d Document) ETag() string { return d.etag }

// ServeHTTP answers a GET request. Methods are the router's to check. A Cache-Control that someone set before stays.
func (d Document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("ETag", d.etag)
	if d.namedBy(r.Header.Values("If-None-Match")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", d.contentType)
	header.Set("Content-Length", strconv.Itoa(len(d.content)))
	header.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(d.content) // a connection that broke has no reader
}

// namedBy reports whether an If-None-Match header names this version. A proxy that compresses may have made the tag weak.
func (d Document) namedBy(lines []string) bool {
	for _, line := range lines {
		for tag := range strings.SplitSeq(line, ",") {
			tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
			if tag == d.etag || tag == "*" {
				return true
			}
		}
	}
	return false
}
