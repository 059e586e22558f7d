// Package trust has the keys by which the parties of an installation authenticate each other: each party has its own private
// key, and all parties that verify its signatures have the public one. No party can impersonate another.
//
// # Parties
//
// The gateway and the services behind it are parties: from its own private key and the public one of the other, each two of
// them compute a secret that no other party can (PrivateKey.Agree). With it the gateway authenticates who is calling (package
// principal). The claims service, the console and the sandbox of a test environment also sign the tokens of their own calls, and
// the issuer those of everyone outside of the services (package rpc). The issuer is no process: its key is in the hands of the
// operator who runs "gateway token", and in no pod.
//
// # Keys
//
// Keys are Ed25519. A private key is the base64 of its seed of 32 bytes, a public key the base64 of its 32 bytes; both are the
// last 32 bytes of the DER that openssl writes:
//
//	openssl genpkey -algorithm ed25519 -outform DER -out key.der
//	tail -c 32 key.der | base64                                              # private
//	openssl pkey -inform DER -in key.der -pubout -outform DER | tail -c 32 | base64 # public
//
// Secrets of two parties are agreed on by X25519 (RFC 7748) with the same keys on the curve's other form, and drawn from the
// result by HKDF with SHA-256 (RFC 5869).
//
// # Rotation
//
// A party has one private key and any number of public ones. To rotate: give everyone the new public key besides the old one,
// then the party the new private key, then take the old public key away. Every call succeeds at every step. A party whose
// private key belongs to none of the public keys that it is given itself does not start, so that steps in the wrong order stop
// at the first pod.
package trust
