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
	// Target is path and query as they are on the wire, http.Request.RequestURI at the service.
	Target string
	// Inbox is the value of InboxHeader, empty when there is none.
	Inbox string
}

// Outgoing is the call of a request that is going to be sent. Its InboxHeader must be set.
func Outgoing(r *http.Request) Call {
	return Call{Method: r.Method, Target: r.URL.RequestURI(), Inbox: r.Header.Get(InboxHeader)}
}

// incoming is the call of a request that has come. ErrMissing when it has two headers that could each be the signed one: it is
// unclear who wrote which.
func incoming(r *http.Request) (call Call, header string, err error) {
	signed, inbox := r.Header.Values(Header), r.Header.Values(InboxHeader)
	if len(signed) != 1 || len(inbox) > 1 {
		return Call{}, "", ErrMissing
	}
	return Call{Method: r.Method, Target: r.RequestURI, Inbox: r.Header.Get(InboxHeader)}, signed[0], nil
}

// BodyDigest stands for the body of a request; the zero value for none.
type BodyDigest [sha256.Size]byte

// DigestOf is the digest of a body. One without a byte is none.
func DigestOf(body []byte) BodyDigest {
	if len(body) == 0 {
		return BodyDigest{}
	}
	return sha256.Sum256(body)
}

// DigestFrom is the digest of a body that is read to its end.
func DigestFrom(body io.Reader) (BodyDigest, error) {
	hash := sha256.New()
	read, err := io.Copy(hash, body)
	if err != nil || read == 0 {
		return BodyDigest{}, err
	}
	return BodyDigest(hash.Sum(nil)), nil
}
