// Package docs shows the public contract to people, on a page of the same host that answers the calls, so that they can be
// tried out from it.
//
// The page is Scalar's API reference, one script of about four megabytes, vendored in assets and sent compressed. Nothing
// is loaded from elsewhere: a strict Content-Security-Policy lets the page run its own two scripts and talk to its own host,
// and nothing more. A key that someone types in stays in the memory of the page and can be sent to this host only.
//
// The page is in English or Korean, as the browser asks, and at an address of each language. What the library itself writes, and what
// the contract says of fields and answers, is English in both.
//
// The page is not part of the interface: it has no envelope, and nobody may rely on its form.
package docs
