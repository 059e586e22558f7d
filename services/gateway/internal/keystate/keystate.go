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
// promoted too early. For as long every gateway repeats a revocation each second.
package keystate

import (
	_ "embed" // the scripts
	"strconv"
	"time"
)

// StateScript is the function that reads a key's state, to be put in front of a script that uses it.
//
//go:embed state.lua
var StateScript string

// PutScript writes the states of keys; it needs each_call of package admission and the clock in front of it.
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

// AppendEntry appends the state as Redis keeps it, see state.lua.
func (s State) AppendEntry(entry []byte) []byte {
	if s.Revoked {
		entry = append(entry, 'R')
	} else {
		entry = append(entry, 'A')
	}
	entry = strconv.AppendInt(append(entry, ' '), int64(s.Version), 10)
	var expiry int64
	if !s.ExpiresAt.IsZero() {
		expiry = s.ExpiresAt.UnixMicro()
	}
	return strconv.AppendInt(append(entry, ' '), expiry, 10)
}
