package web

import (
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry"
)

// Facts are the facts of one request. The stages of its handler fill in what they know, see [FactsOf]. The access log and
// [Options.Answered] get what is there when the request has been answered.
type Facts struct {
	RequestID string
	Began     time.Time
	// Seller is the caller once it is known, and KeyPrefix the public part of its key.
	Seller    uuid.UUID
	KeyPrefix string
	// KeyID and Operation are known to the gateway only.
	KeyID     uuid.UUID
	Operation string
	// Rows are the rows of a list in the answer.
	Rows int
	// Keyed is set once the call has an idempotency key, of which IdempotencyKey is the digest. First says that no call had it
	// before, Replayed that the answer is that of an earlier call.
	Keyed, First, Replayed bool
	IdempotencyKey         [16]byte
	// Failure is the failure with which this service answers. Refusal is the body of a forwarded one, or its
	// beginning if it is long.
	Failure *apierr.Error
	Refusal []byte
	// ClientTrace is the trace that a client of a public engine names; "": none.
	ClientTrace string
	// Held is not part of the duration of the request.
	Held time.Duration

	// Status, Took and Numbers are set when the request has been answered. Numbers is what the path names, if there is such a
	// record.
	Status  int
	Took    time.Duration
	Numbers telemetry.Numbers
}

// FactsOf returns the facts of the request of c, for a stage of its handler to fill in.
func FactsOf(c *gin.Context) *Facts { return &recordOf(c.Request).Facts }
