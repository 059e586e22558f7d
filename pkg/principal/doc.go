// Package principal identifies the caller: the seller, the key and its scopes. The gateway authenticates the caller once and passes the
// principal on in a signed header; every service verifies the signature.
//
// # Why it is signed
//
// The services trust no caller merely for being inside the cluster. A header that a neighbour, a forgotten debug tool or a client
// that found a way round the gateway could simply write would be a key to every seller's data. The gateway removes every
// inbound copy of the internal headers (Header, InboxHeader, RowsHeader) and writes its own; a service that gets none, or one that does
// not verify, answers as to a stranger.
//
// The services do not trust each other either. The gateway and each service share a secret that the two compute from their own
// private keys (package trust) and no other process can: a service that was taken over can write headers for itself, and for no other.
// The price of a shared secret beside a signature is that the private key of a service opens that service: its thief can call it in
// the name of any seller. With a signature it would open nothing.
//
// # What is signed
//
// The header is base64url of
//
//	version (1) · number of codes (1) · seller (16) · scopes (1, a bit each) · expiry (8, Unix seconds) · key id · key prefix · body · codes (32 each)
//
// where the three texts have their length before them. body is the SHA-256 of the request's body, empty when it has none. A code is
// HMAC-SHA-256 over a fixed label, the method, the request target (path and query as they are on the wire), the header that names
// the call for the record of first answers (InboxHeader), and everything before the codes, each text with its length before it, so
// that no two different calls have the same input. There is a code for each key that the service may have, so one, and two while
// it changes its key. A header that leaks is useless for any other service, operation, parameters, body and idempotency key. There
// is exactly one spelling of a header: the decoder refuses padding, other alphabets and stray bits, so that every change of every
// byte is refused.
//
// A service verifies the header before anything else, and the body against its digest where it reads it: package web does both.
//
// # Clocks
//
// A header lives Life from the gateway's clock. The verifier allows Skew in both directions: it accepts a header until
// Skew after its expiry, and refuses one that expires later than its own clock could explain. Clocks that differ by
// more than Skew make every request fail, which is loud and therefore better than a header that lives for hours.
//
// # What it costs
//
// BenchmarkSign and BenchmarkVerify measure it: 1.1 µs each. An Ed25519 signature of each call took 16 µs to make and 36 to verify on
// the same machine, which was a sixth of what the gateway spends on a read.
package principal
