// Package paging creates and verifies the cursors of lists.
//
// # What a cursor is
//
// A list is walked by position, not by number of pages: the cursor says "after the record with this updated_at and this
// id", so that a walk returns nothing twice and misses nothing that stayed unchanged, whatever is written meanwhile. The
// cursor is base64url of
//
//	version · list · seller · filters, sorted by name · updated_at in microseconds · id · MAC (16)
//
// and the MAC is HMAC-SHA-256, cut to 128 bits, over a fixed label and everything before it. Texts and numbers are
// written with their length, so that no two cursors share a payload. The cursor is opaque to clients. Its payload can be
// decoded, but holds only data that its seller knows, and it cannot be changed.
//
// # What is refused
//
// Everything that the server did not issue in exactly these characters: a changed, cut or lengthened cursor, the same
// bytes in another base64 spelling, another seller's cursor, another list's. All of these are "malformed", so that a
// foreign cursor reveals nothing. A cursor of this seller and list that comes with different filters is
// "filters_changed": a client that changes its filter in the middle of a walk would get neither of the two lists.
// Filters that are left out are taken from the cursor.
//
// # Clocks and keys
//
// A cursor has no expiry; it stays valid as long as its key does. The signer signs with the current key and accepts the
// previous ones, so a key rotation does not interrupt walks.
//
// # Positions
//
// A list can also be read forwards, in the order of the changes. The position after such a page is signed like a cursor, under
// a name of its own, so that neither is accepted as the other. Since the times of a seller are in the order of commits, a
// reader that goes on from a position misses no change, however long afterwards.
package paging
