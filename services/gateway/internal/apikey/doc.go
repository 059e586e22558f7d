// Package apikey knows what a seller's API key is: how its text is built and read, what is stored of it, and by which
// rules keys are issued, listed, shown again and revoked.
//
// # The text
//
// A text has exactly TextChars characters:
//
//	vpk_live_  kkkkkkkkkkkkkkkkkkkkkk  sssssssssssssssssssssssssss  mmmmmmmmmmmmmmmmmmmmmm
//	prefix 9   key id, 22              secret, 27                   MAC, 22
//
// Everything behind the prefix is base62. The key id is written with its lowest digit first, because the low bits of a
// version 7 UUID are its random ones: the three characters that follow the prefix, which are all that a list of keys
// may show, then differ from key to key, and no seller is ever given two keys that look alike there. The secret holds
// 160 bits. The MAC covers everything before it, the prefix too, under a key derived from the pepper, so that a forged
// or mistyped text, or a test text dressed as a live one, is refused by arithmetic and costs no look-up.
//
// # Peppers
//
// Three keys are derived from a pepper: one for the MAC of the text, one for the look-up hash and one for the MAC of the row. The
// pepper whose MAC fits is the one whose hash is looked up, so a rotation never needs two look-ups. New texts are made with the current pepper. A
// previous pepper stays in the list for as long as texts made with it are to be accepted; taking it out ends them.
//
// # What is stored
//
// The look-up hash (HMAC-SHA-256 of the whole text), the first PrefixChars characters, and the text itself encrypted
// with the key id as associated data, because a representative may ask to see it again. Anyone who holds the database but
// neither pepper nor key set can neither use a key nor move one seller's text to another row. Nor can anyone who writes it: what a
// key may do, and for whom, has a MAC under a key from the pepper (mac.go).
//
// # What is left to others
//
// The store owns transactions, locks and clocks. Whether a header was sent at all or twice is a question of HTTP.
package apikey
