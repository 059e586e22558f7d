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
// # What is signed
//
// The header is base64url of
//
//	version (1) · seller (16) · scopes (1, a bit each) · expiry (8, Unix seconds) · key id · key prefix · MAC (32)
//
// where the two texts have their length before them. The MAC is HMAC-SHA-256 over a fixed label, the method, the path
// and everything before the MAC, each text with its length before it, so that no two different calls have the same
// input. Method and path make a header that leaks useless for any other operation. There is exactly one spelling of a header:
// the decoder refuses padding, other alphabets and stray bits, so that every change of every byte is refused.
//
// # Clocks
//
// A header lives Life from the gateway's clock. The verifier allows Skew in both directions: it accepts a header until
// Skew after its expiry, and refuses one that expires later than its own clock could explain. Clocks that differ by
// more than Skew make every request fail, which is loud and therefore better than a header that lives for hours.
//
// # Rotation
//
// The signer signs with the current key and verifies with the current and the previous ones. To rotate: give every
// service "new,old" (the gateway too; while some still verify with old only, keep "old,new" one roll-out long), then
// "new".
package principal
