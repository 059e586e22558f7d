package inbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/web"
)

// ReplayedHeader marks an answer that was given before.
const ReplayedHeader = "Idempotent-Replayed"

// Tx is the transaction of a call, which handlers pass on to the store.
type Tx = postgres.Tx

// Handle makes the handler of a process operation: parse reads the command from the request, run performs it in the
// transaction that also stores the answer. A key that was used before decides before parse's error does. run may be
// called again after a conflict between transactions, parse is called once.
func Handle[C any](box *Box, parse func(*gin.Context) (C, error),
	run func(context.Context, Tx, C) (any, error),
) gin.HandlerFunc {
	return web.Handle(func(c *gin.Context) (any, error) {
		key, err := keyOf(c)
		if err != nil {
			return nil, err
		}
		command, parseErr := parse(c)
		if errors.Is(parseErr, apierr.Unauthenticated) {
			return nil, parseErr // the body is not the caller's, so the key's answer is not for who sent it
		}
		var first web.Answer
		answer, outcome, err := box.Once(c.Request.Context(), key, func(ctx context.Context, tx pgx.Tx) (Answer, error) {
			var data any
			err := parseErr
			if err == nil {
				data, err = run(ctx, postgres.Pass(tx), command)
			}
			if err != nil && !apierr.From(err).Code.Stored() {
				return Answer{}, err // the caller sorts faults of the database and runs conflicts again
			}
			first = web.Render(c, data, err)
			return storable(first), nil
		})
		return respond(c, first, answer, outcome, err)
	})
}

// HandleSteps is Handle for an operation whose steps have transactions of their own: the key is taken first, run performs
// them, and the whole answer is stored at the end. A crash in the middle stores none; the key stays with its content, and what
// was done converges when that is sent again.
func HandleSteps[C any](box *Box, parse func(*gin.Context) (C, error),
	run func(context.Context, C) (any, error),
) gin.HandlerFunc {
	return web.Handle(func(c *gin.Context) (any, error) {
		key, err := keyOf(c)
		if err != nil {
			return nil, err
		}
		command, parseErr := parse(c)
		if errors.Is(parseErr, apierr.Unauthenticated) {
			return nil, parseErr
		}
		ctx := c.Request.Context()
		look := box.Begin
		if parseErr != nil { // without a command the key is not taken
			look = box.Known
		}
		answer, outcome, err := look(ctx, key)
		if err != nil || outcome != (Outcome{}) {
			return respond(c, web.Answer{}, answer, outcome, err)
		}
		var data any
		if err = parseErr; err == nil {
			data, err = run(ctx, command)
			err = postgres.Classify(err)
		}
		first := web.Render(c, data, err)
		kept := storable(first)
		if !kept.Stored {
			_ = box.Free(ctx, key) // a key that cannot be freed accepts the same content again
		}
		answer, outcome, err = box.Keep(ctx, key, kept)
		return respond(c, first, answer, outcome, err)
	})
}

// errNoKey says that a request bypassed the gateway's idempotency.
var errNoKey = errors.New("inbox: request without " + Header)

func keyOf(c *gin.Context) (Key, error) {
	seller := principal.MustFromContext(c.Request.Context()).SellerID
	key, err := ParseHeader(seller, c.GetHeader(Header))
	if err != nil {
		return Key{}, apierr.Internal.Because(fmt.Errorf("%w: %w", errNoKey, err))
	}
	return key, nil
}

func storable(answer web.Answer) Answer {
	stored := answer.Failure == nil || answer.Failure.Code.Stored()
	return Answer{Status: answer.Status, Body: answer.Body, Stored: stored}
}

// respond reports the outcome of the key to the gateway and passes the answer to the writer: the first one with its failure
// for the log, or the stored one.
func respond(c *gin.Context, first web.Answer, answer Answer, outcome Outcome, err error) (any, error) {
	if text := outcome.String(); text != "" {
		c.Header(Header, text)
	}
	if err != nil {
		return nil, err
	}
	if outcome.Replayed {
		c.Header(ReplayedHeader, "true")
		return web.Answer{Status: answer.Status, Body: answer.Body}, nil
	}
	return first, nil
}
