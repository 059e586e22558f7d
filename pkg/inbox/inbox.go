package inbox

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
)

// Schema creates the tables. Every service that stores answers has this text in its schema.
//
//go:embed schema.sql
var Schema string

//go:embed queries/*.sql
var files embed.FS

var queries = postgres.MustLoadQueries(files)

// Config are the settings of the record.
type Config struct {
	// KeysKept is 0 or at least keysKeptLeast. Older keys are deleted within a day, by a sweep.
	KeysKept time.Duration `name:"idempotency-keys-kept" env:"IDEMPOTENCY_KEYS_KEPT" default:"0" help:"Retention of an Idempotency-Key, 25h or more; after that it counts as a new one. 0: unlimited."`

	// Retention is how long a stored answer is replayed; 0 means promised.
	Retention time.Duration `kong:"-"`
}

// promised is the documented time for which an answer is replayed.
const promised = 24 * time.Hour

// keysKeptLeast leaves every key an hour in which it is answered IDEMPOTENCY_RESULT_EXPIRED.
const keysKeptLeast = promised + time.Hour

// ErrKeysKept says that keys would be deleted while their answers may still be requested.
var ErrKeysKept = fmt.Errorf("must be 0 or at least %v", keysKeptLeast)

// Validate returns an error when keys are kept for less than keysKeptLeast.
func (c *Config) Validate() error {
	if c.KeysKept != 0 && c.KeysKept < keysKeptLeast {
		return fmt.Errorf("IDEMPOTENCY_KEYS_KEPT: %w", ErrKeysKept)
	}
	return nil
}

// Answer is a complete encoded response.
type Answer struct {
	Status int
	Body   []byte
	// Stored is whether a repetition gets this answer; see apierr.Code.Stored.
	Stored bool
}

// Box is the record of one service.
type Box struct {
	pool   *postgres.Pool
	config Config
}

// New returns the record in the schema that the pool is open on.
func New(pool *postgres.Pool, config Config) *Box {
	config.Retention = cmp.Or(config.Retention, promised)
	return &Box{pool: pool, config: config}
}

func (b *Box) of(key Key) postgres.Scoped { return postgres.OfSeller(b.pool, key.Seller) }

// Run performs the effect of a request and returns its answer. It works in tx only and is run again after a conflict
// between transactions.
type Run func(ctx context.Context, tx pgx.Tx) (Answer, error)

// errUndo rolls back an attempt whose answer is stored without its effects.
var errUndo = errors.New("inbox: refused")

// errSwept says that the key existed a moment ago and was swept after its retention.
var errSwept = errors.New("inbox: key was deleted by the sweep in the meantime")

// Once performs a request the first time and returns the stored answer every further time.
//
// An answer of run that is an effect (status 2xx) is stored with it. Another stored answer undoes what run did and is
// kept alone. An answer that is not stored, and an error, undo everything and leave the key free.
//
// IDEMPOTENCY_KEY_REUSED: the key belongs to other content. IDEMPOTENCY_RESULT_EXPIRED. Else run's error or the
// database's, with a zero Outcome: also when the commit was sent and not answered. The same key is to be sent again then,
// and meets what the database knows.
func (b *Box) Once(ctx context.Context, key Key, run Run) (Answer, Outcome, error) {
	var refusal Answer
	answer, outcome, err := b.attempt(ctx, key, func(ctx context.Context, tx pgx.Tx) (Answer, error) {
		answer, err := run(ctx, tx)
		if err == nil && (answer.Status >= 300 || !answer.Stored) {
			refusal, err = answer, errUndo
		}
		return answer, err
	})
	if !errors.Is(err, errUndo) {
		return answer, outcome, err
	}
	return b.Keep(ctx, key, refusal)
}

// Keep stores an answer that shares its transaction with nothing, or returns the one already stored. An answer that is
// not to be stored is returned as it is.
func (b *Box) Keep(ctx context.Context, key Key, answer Answer) (Answer, Outcome, error) {
	if !answer.Stored {
		return answer, Outcome{}, nil
	}
	return b.attempt(ctx, key, func(context.Context, pgx.Tx) (Answer, error) { return answer, nil })
}

// Known returns what is stored for a key; a zero Outcome when nothing is. Errors as those of Once.
func (b *Box) Known(ctx context.Context, key Key) (Answer, Outcome, error) {
	return b.read(ctx, b.of(key), key)
}

// Begin takes a key for a request whose steps have transactions of their own, so that the key belongs to its content from now
// on, whatever happens. What is stored for the key is returned as Known does; after a zero Outcome the request
// continues, for the first time or again.
func (b *Box) Begin(ctx context.Context, key Key) (Answer, Outcome, error) {
	taken, err := b.of(key).Exec(ctx, queries.SQL("InboxBegin"), key.Seller, key.Digest.stored(), key.Fingerprint.stored())
	if err != nil {
		return Answer{}, Outcome{}, fmt.Errorf("begin idempotency key: %w", postgres.Classify(err))
	}
	if taken.RowsAffected() == 1 {
		return Answer{}, Outcome{}, nil
	}
	return b.read(ctx, b.of(key), key)
}

// Free releases a key that was begun and has no stored answer.
func (b *Box) Free(ctx context.Context, key Key) error {
	_, err := b.of(key).Exec(ctx, queries.SQL("InboxFree"), key.Seller, key.Digest.stored(), key.Fingerprint.stored())
	return postgres.Wrap("release idempotency key", postgres.Classify(err))
}

// attempt takes the key and stores run's answer, or reads what is stored, in one transaction. What became of the key is known
// after the commit and not before: an error has no Outcome, but that the answer has expired, which was committed long ago.
func (b *Box) attempt(ctx context.Context, key Key, run Run) (Answer, Outcome, error) {
	var answer Answer
	var found Outcome
	err := postgres.InTx(ctx, b.of(key), func(ctx context.Context, tx pgx.Tx) error {
		found = Outcome{} // of an attempt that met a conflict
		taken, err := tx.Exec(ctx, queries.SQL("InboxTake"), key.Seller, key.Digest.stored(), key.Fingerprint.stored())
		if err != nil {
			return fmt.Errorf("acquire idempotency key: %w", err)
		}
		if taken.RowsAffected() == 0 {
			answer, found, err = b.read(ctx, tx, key)
			if err == nil && found == (Outcome{}) {
				return apierr.Unavailable.Because(errSwept)
			}
			return err
		}
		if answer, err = run(ctx, tx); err != nil {
			return err
		}
		return postgres.AtCommit(ctx, tx, queries.SQL("InboxStore"), key.Seller, key.Digest.stored(), answer.Status, answer.Body)
	})
	switch {
	case err != nil:
		return Answer{}, Outcome{Expired: found.Expired}, err
	case found == Outcome{}:
		return answer, Outcome{Stored: true, Left: b.config.Retention}, nil
	default:
		return answer, found, nil
	}
}

func (b *Box) read(ctx context.Context, db postgres.RowQuerier, key Key) (Answer, Outcome, error) {
	var (
		fingerprint []byte
		begun       bool
		status      *int
		body        []byte
		left        *float64
	)
	row := db.QueryRow(ctx, queries.SQL("InboxRead"), key.Seller, key.Digest.stored(), b.config.Retention)
	switch err := row.Scan(&fingerprint, &begun, &status, &body, &left); {
	case errors.Is(err, pgx.ErrNoRows):
		return Answer{}, Outcome{}, nil
	case err != nil:
		return Answer{}, Outcome{}, fmt.Errorf("read idempotency key: %w", postgres.Classify(err))
	case !bytes.Equal(fingerprint, key.Fingerprint.stored()):
		return Answer{}, Outcome{}, apierr.IdempotencyKeyReused
	case begun:
		return Answer{}, Outcome{}, nil
	case status == nil:
		return Answer{}, Outcome{Expired: true}, apierr.IdempotencyResultExpired
	}
	outcome := Outcome{Stored: true, Replayed: true, Left: time.Duration(*left * float64(time.Second))}
	return Answer{Status: *status, Body: body, Stored: true}, outcome, nil
}
