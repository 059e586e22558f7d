package inquiry

import (
	"crypto/sha256"

	"github.com/google/uuid"
)

// PostOutcome is the result of posting an inquiry.
type PostOutcome string

// The outcomes.
const (
	// PostNew: the inquiry was stored.
	PostNew PostOutcome = "posted"
	// PostRepeated: the same inquiry was already stored; nothing changed.
	PostRepeated PostOutcome = "already_posted"
	// PostConflict: another inquiry has the same id; nothing changed.
	PostConflict PostOutcome = "conflict"
)

// Ledger determines the outcomes of one batch: known maps the ids of stored inquiries to their digests. Of several inquiries
// with the same id in the batch, the first one counts as stored.
type Ledger struct {
	known map[uuid.UUID][sha256.Size]byte
}

// NewLedger returns a ledger with the stored inquiries.
func NewLedger(known map[uuid.UUID][sha256.Size]byte) *Ledger {
	if known == nil {
		known = map[uuid.UUID][sha256.Size]byte{}
	}
	return &Ledger{known: known}
}

// Enter returns the outcome of the next inquiry of the batch and records it.
func (l *Ledger) Enter(id uuid.UUID, digest [sha256.Size]byte) PostOutcome {
	before, ok := l.known[id]
	switch {
	case !ok:
		l.known[id] = digest
		return PostNew
	case before == digest:
		return PostRepeated
	default:
		return PostConflict
	}
}
