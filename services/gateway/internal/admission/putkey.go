package admission

import (
	"context"
	"errors"
	"time"

	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/keystate"
)

// ErrOldReading says that the read of a key's state from PostgreSQL is older than allowed.
var ErrOldReading = errors.New("admission: the state of the key read from PostgreSQL is too old")

// PutKey writes the state of a key as read from PostgreSQL to Redis. readAt is the Redis time before PostgreSQL was read (a
// Decision's At); zero for a revocation, which is valid at any time.
//
// RATE_LIMIT_UNAVAILABLE: Redis did not store it. ErrOldReading: it came later than keystate.Fence after readAt.
func (a *Admitter) PutKey(ctx context.Context, key apikey.Key, readAt time.Time) error {
	var read int64
	if !readAt.IsZero() {
		read = readAt.UnixMicro()
	}
	answer, err := a.guard.run(ctx, a.scripts.put, []string{namesOf(key.SellerID).state(key.ID)},
		keystate.Entry(key), keystate.Life.Milliseconds(), read, keystate.Fence.Microseconds())
	if answer == "late" {
		return ErrOldReading
	}
	return err
}
