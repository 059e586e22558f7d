// Package apikey defines a seller's API key: how its text is built and parsed, what is stored of it, and the rules by which
// keys are issued, listed, revealed and revoked.
//
// # The text
//
// A text has exactly TextChars characters:
//
//	vpk_live_  kkkkkkkkkkkkkkkkkkkkkk  sssssssssssssssssssssssssss  mmmmmmmmmmmmmmmmmmmmmm
//	prefix 9   key id, 22              secret, 27                   MAC, 22
//
// Everything after the prefix is base62. The key id is written lowest digit first, because the low bits of a version 7 UUID are
// its random ones: so the three characters after the prefix, which are all that a list of keys may show, differ from key to
// key, and no seller gets two keys that look alike there. The secret has 160 bits. The MAC covers everything before it,
// including the prefix, with a key derived from the pepper, so that a forged or mistyped text, or a test text disguised as a
// live one, is refused without a look-up.
//
// # Peppers
//
// Three keys are derived from a pepper: for the MAC of the text, for the look-up hash and for the MAC of the row. The pepper
// whose MAC matches determines the look-up hash, so a rotation never needs two look-ups. New texts use the current pepper. A
// previous pepper stays in the list as long as its texts are to be accepted; removing it invalidates them.
//
// # What is stored
//
// The look-up hash (HMAC-SHA-256 of the whole text), the first PrefixChars characters, and the text itself, encrypted with the
// key id as associated data, because a representative may ask to see it again. Someone with the database but without pepper and
// key set can neither use a key nor move a seller's text to another row. Write access does not help either: the permissions of
// a key and its owner are protected by a MAC with a key from the pepper (mac.go).
//
// # Other packages
//
// The store owns transactions, locks and clocks. The HTTP layer checks whether a header is missing or was sent twice.
package apikey
