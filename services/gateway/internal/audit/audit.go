// Package audit is the trail of what was done with sellers' keys: entries that are chained by digests, so that one that was altered,
// inserted or taken out of the middle is found when the trail is read from its beginning.
//
// Each entry carries the SHA-256 of the digest of the one before (32 zero bytes for the first) and of its own fields. A chain alone
// says nothing about entries that are missing at its end, or about one that was written anew as a whole: for that an earlier
// [Head] has to be kept where those who can write the database can not.
package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Action is what an entry says was done.
type Action string

// The actions. Those that end in "again" changed nothing, because they had been done before.
const (
	Registered   Action = "register"
	Issued       Action = "issue"
	IssuedAgain  Action = "issue_again"
	Listed       Action = "list"
	Revealed     Action = "reveal"
	Revoked      Action = "revoke"
	RevokedAgain Action = "revoke_again"
)

// Refused is the action of an entry about calls that wanted this one and were refused: "reveal_refused".
func (a Action) Refused() Action { return a + "_refused" }

// Cause is why a call was refused.
type Cause string

// The causes.
const (
	// KeyUnknown: there is no such key of this seller.
	KeyUnknown Cause = "key_unknown"
	// NotPermitted: the caller may not call the procedure.
	NotPermitted Cause = "permission_denied"
)

// Refusal is what is known of calls that were refused: of the latest of them, and how many they were.
type Refusal struct {
	// Author's Actor is empty when the call named none.
	Author Author
	// Action is what was wanted.
	Action Action
	Cause  Cause
	// SellerID and KeyID are nil when the call named none.
	SellerID, KeyID *uuid.UUID
	// Calls is how many calls there were, at least 1.
	Calls int
}

// Author is who did something: the system whose token was checked, and the person whom it names.
type Author struct {
	// Caller is the name in the token of the call; [CommandLine] for a command of the program.
	Caller string
	// Actor is who acts, in the caller's words; empty only when a refused call named nobody.
	Actor string
}

// CommandLine is the caller of those who act on the database without an interface in between.
const CommandLine = "command"

// Entry is one line of the trail.
type Entry struct {
	ID       int64 // counted from 1, without gaps
	At       time.Time
	Author   Author
	Action   Action
	SellerID *uuid.UUID // nil: a refused call named none
	KeyID    *uuid.UUID // nil: it is about no single key
	Detail   string     // JSON object, as PostgreSQL prints it
	Digest   Digest
}

// Digest is what an entry says of itself and of all before it.
type Digest [sha256.Size]byte

// String implements fmt.Stringer, in hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// TimeFormat is how a time is digested: UTC, to the microsecond.
const TimeFormat = "2006-01-02T15:04:05.000000Z"

// After returns the digest that the entry has behind one with the given digest: the SHA-256 of that one's 32 bytes and, each behind its
// length in bytes as a 32-bit big-endian number, time, caller, actor, action, seller and key (each empty when there is none) and detail.
func (e Entry) After(previous Digest) Digest {
	sum := sha256.New()
	sum.Write(previous[:])
	for _, field := range []string{
		e.At.UTC().Format(TimeFormat), e.Author.Caller, e.Author.Actor, string(e.Action), spelt(e.SellerID), spelt(e.KeyID), e.Detail,
	} {
		sum.Write(binary.BigEndian.AppendUint32(nil, uint32(len(field)))) //nolint:gosec // texts of a few hundred bytes
		sum.Write([]byte(field))
	}
	return Digest(sum.Sum(nil))
}

// spelt is an id as it is digested.
func spelt(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

// Head is the end of a chain: its last entry and what that says of all before.
type Head struct {
	ID     int64
	Digest Digest
}

// String implements fmt.Stringer: number and digest with a colon in between; see [ParseHead].
func (h Head) String() string { return fmt.Sprintf("%d:%s", h.ID, h.Digest) }

// ParseHead reads what [Head.String] wrote.
func ParseHead(text string) (head Head, err error) {
	var digest []byte
	if _, err := fmt.Sscanf(text, "%d:%x", &head.ID, &digest); err != nil || len(digest) != len(head.Digest) {
		return Head{}, fmt.Errorf("%q is no head of a trail: expected NUMBER:DIGEST, as 'gateway audit verify' prints it", text)
	}
	copy(head.Digest[:], digest)
	return head, nil
}

// BrokenError says at which entry a chain is broken.
type BrokenError struct{ ID int64 }

// Error implements error.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("the audit trail is broken at entry %d: it, or what stood before it, is not what was written", e.ID)
}

// Chain checks a trail from its beginning. The zero value is ready for use.
type Chain struct {
	Entries int
	Head    Head
}

// Add checks the next entry. Error: *BrokenError.
func (c *Chain) Add(e Entry) error {
	if e.After(c.Head.Digest) != e.Digest {
		return &BrokenError{ID: e.ID}
	}
	c.Entries++
	c.Head = Head{ID: e.ID, Digest: e.Digest}
	return nil
}
