package inquiry

import (
	"crypto/sha256"

	"github.com/google/uuid"
)

// PostOutcome is the result of posting an inquiry.
type PostOutcome string

// The outcomes.
const (
	// PostNew: the inquiry is in now.
	PostNew PostOutcome = "posted"
	// PostRepeated: this very inquiry was in before; nothing changed.
	PostRepeated PostOutcome = "already_posted"
	// PostConflict: another inquiry has the id; nothing changed.
	PostConflict PostOutcome = "conflict"
)

// Ledger sorts the inquiries of one batch: known are the digests of those that are in by their ids. Among inquiries of
// the batch with one id the first one counts as in.
type Ledger struct {
	known map[uuid.UUID][sha256.Size]byte
}

// NewLedger begins with what is in already.
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
