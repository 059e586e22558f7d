// Package docs serves the public contract to people, as a page on the same host that serves the calls, so that calls can be
// tried from it.
//
// The page is Scalar's API reference, one script of about four megabytes, vendored in assets and sent compressed. Nothing is
// loaded from elsewhere: a strict Content-Security-Policy lets the page run only its own two scripts and connect only to its
// own host. A key that a user enters stays in the memory of the page and can be sent to this host only.
//
// The page is in English or Korean, as the browser requests, and also at a separate address for each language.
//
// The page is not part of the interface: it has no envelope, and clients must not rely on its form.
package docs
