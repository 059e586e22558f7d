package principal

import (
	"crypto/sha256"
	"io"
	"net/http"
)

// Call is the request that a signature is for.
type Call struct {
	// Method is as sent.
	Method string
	// Target is the path and query as sent, http.Request.RequestURI at the service.
	Target string
	// Inbox is the value of InboxHeader, empty when there is none.
	Inbox string
}

// Outgoing returns the call of a request that is about to be sent. Its InboxHeader must be set.
func Outgoing(r *http.Request) Call {
	return Call{Method: r.Method, Target: r.URL.RequestURI(), Inbox: r.Header.Get(InboxHeader)}
}

// incoming returns the call of a received request. It is ErrMissing if the request has two signature headers: it is unclear who
// wrote which.
func incoming(r *http.Request) (call Call, header string, err error) {
	signed, inbox := r.Header.Values(Header), r.Header.Values(InboxHeader)
	if len(signed) != 1 || len(inbox) > 1 {
		return Call{}, "", ErrMissing
	}
	return Call{Method: r.Method, Target: r.RequestURI, Inbox: r.Header.Get(InboxHeader)}, signed[0], nil
}

// BodyDigest is the digest of a request's body; the zero value means no body.
type BodyDigest [sha256.Size]byte

// DigestOf returns the digest of a body. An empty body has the zero digest.
func DigestOf(body []byte) BodyDigest {
	if len(body) == 0 {
		return BodyDigest{}
	}
	return sha256.Sum256(body)
}

// DigestFrom reads a body to its end and returns its digest.
func DigestFrom(body io.Reader) (BodyDigest, error) {
	hash := sha256.New()
	read, err := io.Copy(hash, body)
	if err != nil || read == 0 {
		return BodyDigest{}, err
	}
	return BodyDigest(hash.Sum(nil)), nil
}
