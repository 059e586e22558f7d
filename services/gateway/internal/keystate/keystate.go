// Package keystate holds the scripts that keep the state of API keys in Redis.
//
// # Revocation is immediate
//
// Every call checks the entry of its key in the same script that counts the call, so a revocation that is written here
// holds on every gateway at once. What could undo it is an entry written from an older reading of PostgreSQL. Three
// things exclude that:
//
//   - A revoked entry is never overwritten by an active one of the same or an older version.
//   - A write names the Redis time before its reading, and comes too late after Fence.
//   - Revoking writes the entry, waits for Fence, and writes it again. A reading older than the revocation can have
//     been written, into a Redis that was emptied in between, only before the second write.
//
// An entry lives for Life, which bounds what a Redis can do wrong that lost the last writes, such as a replica that was
// promoted too early.
package keystate

import (
	_ "embed" // the scripts
	"time"
)

// StateScript are the functions that read a key's state.
//
//go:embed state.lua
var StateScript string

// PutScript writes a key's state; it needs the clock and StateScript in front of it.
//
//go:embed put.lua
var PutScript string

const (
	// Life is how long Redis believes what PostgreSQL said about a key.
	Life = time.Minute
	// Fence is how old a reading of PostgreSQL may be when it is written.
	Fence = 500 * time.Millisecond
)

// State is what PostgreSQL says about a key.
type State struct {
	Revoked bool
	// Version grows with every change of the key.
	Version int
	// ExpiresAt is zero for a key that never expires.
	ExpiresAt time.Time
}

// Letter is the state's name in Redis.
func (s State) Letter() string {
	if s.Revoked {
		return "R"
	}
	return "A"
}

// Expiry is the expiry in µs, 0 for never.
func (s State) Expiry() int64 {
	if s.ExpiresAt.IsZero() {
		return 0
	}
	return s.ExpiresAt.UnixMicro()
}
