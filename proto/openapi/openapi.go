package openapi

import (
	"bytes"
	_ "embed" // the document
	"net/http"
	"sync"

	"sellerapi.dev/proto/openapi/precompressed"
)

//go:embed seller-open-api.yaml
var written []byte

// source returns the document with links to the guides relative to the system that serves it. The file has to contain an absolute
// address in them, because linters accept no other links.
var source = sync.OnceValue(func() []byte {
	return bytes.ReplaceAll(written, []byte("{ url: https://seller-api.example/docs/"), []byte("{ url: /docs/"))
})

// Document is the contract in one of its two notations. It is an [http.Handler] for GET requests: it responds with the
// document, or with 304 if the client has the current version.
type Document struct {
	text        []byte
	content     precompressed.Content
	contentType string
}

// YAML returns the document as written, except for links to the guides, which are relative to the system that serves it.
func YAML() Document { return yamlDocument() }

// JSON returns the same document as compact JSON, with the members in their original order.
func JSON() Document { return jsonDocument() }

var yamlDocument = sync.OnceValue(func() Document { return NewDocument(source(), "application/yaml") })

var jsonDocument = sync.OnceValue(func() Document {
	text, err := toJSON(source())
	if err != nil {
		panic(err) // tests rule this out: the document is embedded
	}
	return NewDocument(text, "application/json")
})

// NewDocument returns a document of any kind that is served like the contract.
func NewDocument(text []byte, contentType string) Document {
	return Document{text: text, content: precompressed.New(text), contentType: contentType}
}

// Bytes returns a copy of the text.
func (d Document) Bytes() []byte { return bytes.Clone(d.text) }

// ETag returns the entity tag of the text, including quotes: it changes if and only if the text does.
func (d Document) ETag() string { return d.content.ETag() }

// ServeHTTP serves a GET request. Methods are checked by the router. Clients may cache the document but must revalidate it before
// each use.
func (d Document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", d.contentType)
	w.Header().Set("Cache-Control", "public, no-cache")
	d.content.ServeHTTP(w, r)
}
