// Package principal identifies the caller: the seller, the key and its scopes. The gateway authenticates the caller once and
// passes the principal on in a signed header; every service verifies the signature.
//
// # Why it is signed
//
// The services trust no caller merely for being inside the cluster. If the header were not signed, another workload, a
// forgotten debug tool or a client that found a way around the gateway could write it and read every seller's data. The gateway
// removes every inbound copy of the internal headers (Header, InboxHeader, RowsHeader, ClockHeader) and writes its own; a service
// treats a request without a header, or with one that does not verify, as unauthenticated.
//
// The services do not trust each other either. The gateway and each service share a secret that the two compute from their own
// private keys (package trust) and no other process can: a compromised service can write headers for itself, but for no other
// service. The drawback of a shared secret compared with a signature is that a service's stolen private key gives access to
// that service: an attacker can call it in the name of any seller. With signatures the key would give no access.
//
// # What is signed
//
// The header is base64url of
//
//	version (1) · number of codes (1) · seller (16) · scopes (1, a bit each) · expiry (8, Unix seconds) ·
//	key id · key prefix · body · codes (32 each)
//
// where each of the three texts is preceded by its length. body is the SHA-256 of the request's body, empty when it has none. A
// code is HMAC-SHA-256 over a fixed label, the method, the request target (path and query as they are on the wire), the header
// with the idempotency key for the inbox (InboxHeader), and everything before the codes, each text preceded by its length, so
// that no two different calls have the same input. There is a code for each public key of the service: one, and two during a
// rotation. A header that leaks is useless for any other service, operation, parameters, body and idempotency key. Each header
// has exactly one encoding: the decoder refuses padding, other alphabets and stray bits, so that a change of any byte is
// refused.
//
// A service verifies the header before anything else, and the body against its digest when it reads it: package web does both.
//
// # Clocks
//
// A header is valid for Life by the gateway's clock. The verifier allows Skew in both directions: it accepts a header until
// Skew after its expiry, and refuses one that expires later than its own clock could explain. Clocks that differ by more than
// Skew make every request fail, which is loud and therefore better than a header that lives for hours.
//
// # What it costs
//
// Signing and verifying take 1.1 µs each. An Ed25519 signature of each call took 16 µs to create and 36 µs
// to verify on the same machine, a sixth of the gateway's time for a read.
package principal
