package admission

import (
	"context"
	"errors"
	"time"

	"sellerapi.dev/services/gateway/internal/keystate"
)

// ErrOldReading says that PostgreSQL took longer to say something about a key than it may be believed for.
var ErrOldReading = errors.New("admission: what PostgreSQL said about the key is too old")

// PutKey tells Redis what PostgreSQL said about a key. readAt is the Redis time before PostgreSQL was read (a Decision's
// At); zero for a revocation, which is true whenever it is written.
//
// RATE_LIMIT_UNAVAILABLE: Redis did not take it. ErrOldReading: it came later than keystate.Fence after readAt.
func (a *Admitter) PutKey(ctx context.Context, caller Caller, state keystate.State, readAt time.Time) error {
	var read int64
	if !readAt.IsZero() {
		read = readAt.UnixMicro()
	}
	answer, err := a.guard.run(ctx, a.scripts.put, []string{namesOf(caller.Seller).state(caller.Key)},
		argument{}.state(state).word(milliseconds(keystate.Life)).uint64(read).uint64(keystate.Fence.Microseconds()))
	if answer == "late" {
		return ErrOldReading
	}
	return err
}
