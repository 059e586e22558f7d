// Package keystate holds the scripts that keep the state of API keys in Redis.
//
// # Revocation is immediate
//
// Every call checks the entry of its key in the same script that counts the call, so a revocation that is written here applies
// on every gateway at once. Only an entry written from an older read of PostgreSQL could revert it. Three rules prevent that:
//
//   - A revoked entry is never overwritten by an active one of the same or an older version.
//   - A write states the Redis time before its read, and is rejected once that is older than Fence.
//   - Revoking writes the entry, waits for Fence, and writes it again. An entry from a read older than the revocation can be
//     written only before the second write, and only if Redis was emptied in between.
//
// An entry lives for Life, which limits the effect of a Redis that lost its last writes, such as a replica that was promoted too
// early. For that time every gateway repeats a revocation each second.
package keystate

import (
	_ "embed" // the scripts
	"strconv"
	"time"

	"sellerapi.dev/services/gateway/internal/apikey"
)

// StateScript is the function that reads a key's state. Scripts that use it are prefixed with it.
//
//go:embed state.lua
var StateScript string

// PutScript writes the states of keys. It must be prefixed with each_call of package admission and the clock.
//
//go:embed put.lua
var PutScript string

const (
	// Life is how long Redis keeps the state of a key as read from PostgreSQL.
	Life = time.Minute
	// Fence is the maximum age of a read of PostgreSQL when its result is written.
	Fence = 500 * time.Millisecond
)

// Entry returns the Redis entry of a key as read from PostgreSQL, see state.lua.
func Entry(key apikey.Key) string {
	state, expiry := "A", int64(0)
	if key.RevokedAt != nil {
		state = "R"
	}
	if key.ExpiresAt != nil {
		expiry = key.ExpiresAt.UnixMicro()
	}
	return state + " " + strconv.Itoa(key.Version) + " " + strconv.FormatInt(expiry, 10)
}
