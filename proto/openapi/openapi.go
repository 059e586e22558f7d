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

// source is the document in which the links to the guides lead to the system that serves it. The file has to name an address for them,
// because linters take no other link.
var source = sync.OnceValue(func() []byte {
	return bytes.ReplaceAll(written, []byte("{ url: https://seller-api.example/docs/"), []byte("{ url: /docs/"))
})

// Document is the contract in one of its two notations. It is an [http.Handler] for GET requests: it answers with the
// document, or with 304 when the client names the version that it has.
type Document struct {
	text        []byte
	content     precompressed.Content
	contentType string
}

// YAML is the document as it was written, but for links to the guides: they lead to the system that serves it.
func YAML() Document { return yamlDocument() }

// JSON is the same document as compact JSON, its members in the order in which they were written.
func JSON() Document { return jsonDocument() }

var yamlDocument = sync.OnceValue(func() Document { return NewDocument(source(), "application/yaml") })

var jsonDocument = sync.OnceValue(func() Document {
	text, err := toJSON(source())
	if err != nil {
		panic(err) // only for a document that no test has seen: it is part of the program
	}
	return NewDocument(text, "application/json")
})

// NewDocument is a document of any kind that is handed out like the contract.
func NewDocument(text []byte, contentType string) Document {
	return Document{text: text, content: precompressed.New(text), contentType: contentType}
}

// Bytes returns a copy of the text.
func (d Document) Bytes() []byte { return bytes.Clone(d.text) }

// ContentType is the media type of the text.
func (d Document) ContentType() string { return d.contentType }

// ETag names the version of the text, quotes included: it changes if and only if the text does.
func (d Document) ETag() string { return d.content.ETag() }

// ServeHTTP answers a GET request. Methods are the router's to check. Copies may be kept, and are asked about before they are
// used.
func (d Document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", d.contentType)
	w.Header().Set("Cache-Control", "public, no-cache")
	d.content.ServeHTTP(w, r)
}
