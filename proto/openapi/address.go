package openapi

import (
	"bytes"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"sync"
)

// mostAddresses is the maximum number of addresses under which a document is cached. An installation has one or two, but clients
// can send any Host header.
const mostAddresses = 4

// Addressed serves a document in which the address of the system replaces the relative addresses of the original document: many
// programs that read it do not remember where it came from.
type Addressed struct {
	document func() Document
	mutex    sync.Mutex
	at       map[string]Document
}

// NewAddressed prepares nothing yet: most instances never have a reader, and parsing a document takes several megabytes.
func NewAddressed(document func() Document) *Addressed {
	return &Addressed{document: document, at: map[string]Document{}}
}

// ServeHTTP answers a GET request.
func (a *Addressed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "X-Forwarded-Proto")
	a.of(Address(r)).ServeHTTP(w, r)
}

// of returns the document with an address in it. Compression takes time and every cached form takes memory, so further addresses
// get the original document, whose relative addresses are correct everywhere.
func (a *Addressed) of(address string) Document {
	if address == "" {
		return a.document()
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	made, known := a.at[address]
	switch {
	case known:
		return made
	case len(a.at) == mostAddresses:
		return a.document()
	}
	a.at[address] = a.document().At(address)
	return a.at[address]
}

// ofSystem are the places of a document that stand for the system that serves it, in all notations, each with the texts around
// the address. doc_url of examples is not one of them.
var ofSystem = []struct{ text, before, after string }{
	{"\n  - url: /\n", "\n  - url: ", "\n"},
	{"{ url: /docs/", "{ url: ", "/docs/"},
	{`"servers":[{"url":"/"`, `"servers":[{"url":"`, `"`},
	{`"externalDocs":{"url":"/docs/`, `"externalDocs":{"url":"`, `/docs/`},
	{`"value": "https://seller-api.example"`, `"value": "`, `"`},
}

// At returns the document with the address of the system, such as https://api.example.com.
func (d Document) At(address string) Document {
	text := d.text
	for _, place := range ofSystem {
		text = bytes.ReplaceAll(text, []byte(place.text), []byte(place.before+address+place.after))
	}
	return NewDocument(text, d.contentType)
}

// hostName matches a host that may be put into a document: a name or an address, with or without a port.
var hostName = regexp.MustCompile(`^([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?$`)

// Address returns the address that a request was sent to, without a trailing slash, or an empty string if it is not known for
// certain: what terminates TLS must say so with X-Forwarded-Proto, or browsers would be sent to an address that they refuse. The
// header influences nothing but the response to the request that has it.
func Address(r *http.Request) string {
	if !hostName.MatchString(r.Host) {
		return ""
	}
	forwarded := r.Header.Get("X-Forwarded-Proto")
	switch {
	case forwarded == "https" || forwarded == "http":
		return forwarded + "://" + r.Host
	case forwarded != "":
		return ""
	case r.TLS != nil:
		return "https://" + r.Host
	case loopback(r.Host):
		return "http://" + r.Host
	default:
		return ""
	}
}

// loopback reports whether a host is the client's own machine, without anything in between.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}
