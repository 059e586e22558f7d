// Package principal says who is calling: which seller, with which key, allowed to do what. The gateway finds that out
// once and passes it on in a signed header; every service verifies the signature and works with the result.
//
// # Why it is signed
//
// The services trust nobody for being inside the cluster. A header that a neighbour, a forgotten debug tool or a client
// that found a way round the gateway could simply write would be a key to every seller's data. The gateway removes every
// inbound copy of the internal headers (InternalHeaders) and writes its own; a service that gets none, or one that does
// not verify, answers as to a stranger.
//
// The services do not trust each other either. Only the gateway has the private key (package trust); a service has the public
// one, with which it can verify and not sign, so that one that was taken over forges nobody.
//
// # What is signed
//
// The header is base64url of
//
//	version (1) · seller (16) · scopes (1, a bit each) · expiry (8, Unix seconds) · key id · key prefix · body · signature (64)
//
// where the three texts have their length before them. body is the SHA-256 of the request's body, empty when it has none. The
// signature is Ed25519 over a fixed label, the method, the request target (path and query as they are on the wire), the header
// that names the call for the record of first answers (InboxHeader), and everything before the signature, each text with its
// length before it, so that no two different calls have the same input. A header that leaks is useless for any other operation,
// other parameters, another body and another idempotency key. There is exactly one spelling of a header: the decoder refuses
// padding, other alphabets and stray bits, so that every change of every byte is refused.
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
// BenchmarkSign and BenchmarkVerify measure it: 32 µs of CPU to sign and 82 µs to verify. The shared secret that these keys
// stand in for took a tenth of that: 5 to 8 µs each on two busy cores, where in the same run signing took 71 to 123 µs and
// verifying 155 to 174 µs. The gateway signs once for each call, and the service verifies once.
package principal
