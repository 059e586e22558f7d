// Package audit is the trail of changes to sellers' keys and webhooks, and of looks at them and at request logs: entries that are
// chained by digests, so that reading the trail from its beginning detects an entry that was altered, inserted or removed from
// the middle.
//
// Each entry carries the SHA-256 of the previous entry's digest (32 zero bytes for the first) and of its own fields. A chain
// alone cannot detect entries missing at its end, or a trail that was rewritten as a whole: for that an earlier [Head] has to
// be kept outside the reach of those who can write to the database.
package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Action is the operation that an entry records.
type Action string

// The actions. Those that end in "again" changed nothing, because the operation had been done before.
const (
	Registered   Action = "register"
	Issued       Action = "issue"
	IssuedAgain  Action = "issue_again"
	Listed       Action = "list"
	Revealed     Action = "reveal"
	Revoked      Action = "revoke"
	RevokedAgain Action = "revoke_again"

	WebhookAdded           Action = "webhook_add"
	WebhookAddedAgain      Action = "webhook_add_again"
	WebhooksListed         Action = "webhook_list"
	WebhookRotated         Action = "webhook_rotate"
	WebhookRotatedAgain    Action = "webhook_rotate_again"
	WebhookPaused          Action = "webhook_pause"
	WebhookResumed         Action = "webhook_resume"
	WebhookTested          Action = "webhook_test"
	WebhookRemoved         Action = "webhook_remove"
	WebhookDeliveriesShown Action = "webhook_deliveries"

	RequestsListed  Action = "request_list"
	RequestShown    Action = "request_get"
	RequestsCounted Action = "request_count"
	KeyUsesListed   Action = "key_uses"
	LimitUsesListed Action = "limit_uses"
)

// Refused returns the action of an entry for a refused call of this action: "reveal_refused".
func (a Action) Refused() Action { return a + "_refused" }

// Cause is the reason for a refusal.
type Cause string

// The causes.
const (
	// KeyUnknown: the seller has no such key.
	KeyUnknown Cause = "key_unknown"
	// NotPermitted: the caller may not call the procedure.
	NotPermitted Cause = "permission_denied"
)

// Refusal describes a refused call.
type Refusal struct {
	// Author.Actor is empty if the call named none.
	Author Author
	// Action is the requested action.
	Action Action
	Cause  Cause
	// SellerID, KeyID and WebhookID are nil if the call named none.
	SellerID, KeyID, WebhookID *uuid.UUID
}

// Author is the origin of an entry: the system that the token authenticates, and the person that it names.
type Author struct {
	// Caller is the name in the token of the call; [CommandLine] for a command of the program.
	Caller string
	// Actor is the acting person as named by the caller; empty only if a refused call named none.
	Actor string
}

// CommandLine is the caller of commands that access the database directly.
const CommandLine = "command"

// Entry is one entry of the trail.
type Entry struct {
	ID       int64 // counted from 1, without gaps
	At       time.Time
	Author   Author
	Action   Action
	SellerID *uuid.UUID // nil: a refused call without a seller
	KeyID    *uuid.UUID // nil: not about a single key
	Detail   string     // JSON object, as PostgreSQL formats it
	Digest   Digest
}

// Digest is the digest of an entry and all before it.
type Digest [sha256.Size]byte

// String implements fmt.Stringer; the digest is hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// TimeFormat is the time format in digests: UTC, with microseconds.
const TimeFormat = "2006-01-02T15:04:05.000000Z"

// After returns the entry's digest, given the previous entry's digest: the SHA-256 of the previous digest's 32 bytes and of
// time, caller, actor, action, seller and key (each empty if there is none) and detail, each preceded by its length in bytes as
// a 32-bit big-endian number.
func (e Entry) After(previous Digest) Digest {
	sum := sha256.New()
	sum.Write(previous[:])
	for _, field := range []string{
		e.At.UTC().Format(TimeFormat), e.Author.Caller, e.Author.Actor, string(e.Action), spelt(e.SellerID), spelt(e.KeyID), e.Detail,
	} {
		sum.Write(binary.BigEndian.AppendUint32(nil, uint32(len(field)))) //nolint:gosec // strings of a few hundred bytes
		sum.Write([]byte(field))
	}
	return Digest(sum.Sum(nil))
}

// spelt returns an id in the form that is digested.
func spelt(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

// Head is the end of a chain: the number and the digest of its last entry.
type Head struct {
	ID     int64
	Digest Digest
}

// String implements fmt.Stringer: number and digest, separated by a colon; see [ParseHead].
func (h Head) String() string { return fmt.Sprintf("%d:%s", h.ID, h.Digest) }

// ParseHead parses the result of [Head.String].
func ParseHead(text string) (head Head, err error) {
	var digest []byte
	if _, err := fmt.Sscanf(text, "%d:%x", &head.ID, &digest); err != nil || len(digest) != len(head.Digest) {
		return Head{}, fmt.Errorf("%q is not the head of an audit trail: expected NUMBER:DIGEST, as 'gateway audit verify' prints it",
			text)
	}
	copy(head.Digest[:], digest)
	return head, nil
}

// BrokenError reports the entry at which a chain is broken.
type BrokenError struct{ ID int64 }

// Error implements error.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("the audit trail is broken at entry %d: it, or what stood before it, is not what was written", e.ID)
}

// Chain verifies a trail from its beginning. The zero value is ready for use.
type Chain struct {
	Entries int
	Head    Head
}

// Add verifies the next entry. Error: *BrokenError.
func (c *Chain) Add(e Entry) error {
	if e.After(c.Head.Digest) != e.Digest {
		return &BrokenError{ID: e.ID}
	}
	c.Entries++
	c.Head = Head{ID: e.ID, Digest: e.Digest}
	return nil
}
