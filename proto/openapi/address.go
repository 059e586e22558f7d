package openapi

import (
	"bytes"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"sync"
)

// mostAddresses is under how many addresses a document is kept. An installation has one or two; anyone can ask under names of their own.
const mostAddresses = 4

// Addressed hands out a document in which the address of the system stands where the document as it was written says only "the system
// that serves this": many programs that read it do not remember where it came from.
type Addressed struct {
	document func() Document
	mutex    sync.Mutex
	at       map[string]Document
}

// NewAddressed prepares nothing yet: most instances never have a reader, and a document takes several megabytes to take apart.
func NewAddressed(document func() Document) *Addressed {
	return &Addressed{document: document, at: map[string]Document{}}
}

// ServeHTTP answers a GET request.
func (a *Addressed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "X-Forwarded-Proto")
	a.of(Address(r)).ServeHTTP(w, r)
}

// of is the document under an address. Compressing takes a while and every form some memory, so further addresses get the document as
// it was written, which is true everywhere.
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

// ofSystem are the places of a document that stand for the system which serves it, in all notations, with what the address follows.
// doc_url of examples is none of them.
var ofSystem = []struct{ text, before, after string }{
	{"\n  - url: /\n", "\n  - url: ", "\n"},
	{"{ url: /docs/", "{ url: ", "/docs/"},
	{`"servers":[{"url":"/"`, `"servers":[{"url":"`, `"`},
	{`"externalDocs":{"url":"/docs/`, `"externalDocs":{"url":"`, `/docs/`},
	{`"value": "https://seller-api.example"`, `"value": "`, `"`},
}

// At is the document of the system at the address, such as https://api.example.com.
func (d Document) At(address string) Document {
	text := d.text
	for _, place := range ofSystem {
		text = bytes.ReplaceAll(text, []byte(place.text), []byte(place.before+address+place.after))
	}
	return NewDocument(text, d.contentType)
}

// hostName is a host that may stand in a document: a name or an address, with or without a port.
var hostName = regexp.MustCompile(`^([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?$`)

// Address is where a request was sent to, without a slash at the end; empty where that is not known for certain: what ends TLS in front
// has to say so with X-Forwarded-Proto, or browsers would be sent to an address that they refuse. The header decides about nothing but
// the answer to the request that has it.
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

// loopback reports whether a host is the machine of the client itself, with nothing in between.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}
