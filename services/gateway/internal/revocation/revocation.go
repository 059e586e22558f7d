// Package revocation publishes revocations of API keys.
//
// A revocation is in effect once PostgreSQL has committed it, and certain once no gateway can admit the key any more. Publish
// does the latter: it writes the revoked entry to Redis, waits until every older read of PostgreSQL is too old to be written
// (keystate.Fence), and writes it again; package keystate explains why that suffices. Only then does RevokeKey return.
//
// A crash or an unavailable Redis in between leaves the revocation unpublished. Every gateway looks for unpublished revocations
// and publishes them, so that they become certain without intervention; while Redis is unavailable no calls are admitted
// anyway. In a cluster a master that is away delays the revocations of its own sellers only.
//
// Redis may lose writes when a replica is promoted that had not received them. So every gateway repeats the revocations of the
// last keystate.Life each second: no older entry lives longer than that.
package revocation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/keystate"
)

const (
	// settle is how long Publish waits between its two writes: the fence, and a margin for a Redis clock that is slower than the
	// gateway's.
	settle = keystate.Fence + 100*time.Millisecond
	// searchPause is the interval of the check for revocations to publish or to repeat.
	searchPause = time.Second
	// writePause is the pause between two attempts to reach Redis.
	writePause = 100 * time.Millisecond
	// firstWrites is how long a check writes unpublished revocations for the first time. Of many it publishes those it came to.
	firstWrites = time.Second
)

// Store reads and marks revocations in PostgreSQL.
type Store interface {
	// Unpublished returns revoked keys whose revocation is not published.
	Unpublished(ctx context.Context) ([]apikey.Key, error)
	// PublishedWithin returns the keys whose revocation became certain within the given age.
	PublishedWithin(ctx context.Context, age time.Duration) ([]apikey.Key, error)
	// MarkPublished records that a revocation is certain.
	MarkPublished(ctx context.Context, seller, key uuid.UUID) error
}

// Publisher publishes revocations. It is safe for concurrent use.
type Publisher struct {
	admitter *admission.Admitter
	store    Store
	logger   *slog.Logger
}

// New returns a Publisher.
func New(admitter *admission.Admitter, store Store, logger *slog.Logger) *Publisher {
	return &Publisher{admitter: admitter, store: store, logger: logger}
}

// Publish returns when no gateway can admit the revoked key any more. It retries until the context ends.
//
// Unavailable: the key is revoked, but the revocation is not certain yet.
func (p *Publisher) Publish(ctx context.Context, key apikey.Key) error {
	for _, pause := range []time.Duration{settle, 0} {
		if err := p.write(ctx, key); err != nil {
			return err
		}
		if !wait(ctx, pause) {
			return apierr.Unavailable.Because(context.Cause(ctx))
		}
	}
	return p.mark(ctx, key)
}

func (p *Publisher) mark(ctx context.Context, key apikey.Key) error {
	if err := p.store.MarkPublished(ctx, key.SellerID, key.ID); err != nil {
		return fmt.Errorf("mark revocation as published: %w", err)
	}
	return nil
}

func (p *Publisher) write(ctx context.Context, key apikey.Key) error {
	for {
		err := p.put(ctx, key)
		if err == nil {
			return nil
		}
		if !wait(ctx, writePause) {
			return apierr.Unavailable.Because(err)
		}
	}
}

// put makes one attempt to write the revoked entry to Redis.
func (p *Publisher) put(ctx context.Context, key apikey.Key) error {
	return p.admitter.PutKey(ctx, key, time.Time{})
}

// Keep publishes unpublished revocations and repeats recent ones until the context ends.
func (p *Publisher) Keep(ctx context.Context) {
	for wait(ctx, searchPause) {
		if err := errors.Join(p.finish(ctx), p.repeat(ctx)); err != nil && ctx.Err() == nil {
			p.logger.WarnContext(ctx, "republishing revocations failed", "error", err)
		}
	}
}

// finish publishes the unpublished revocations, with a single wait for all of them. What fails is left for the next time.
func (p *Publisher) finish(ctx context.Context) error {
	keys, err := p.store.Unpublished(ctx)
	if err != nil || len(keys) == 0 {
		return err
	}
	first, cancel := context.WithTimeout(ctx, firstWrites)
	defer cancel()
	written, failed := p.putEach(first, keys)
	if len(written) == 0 || !wait(ctx, settle) {
		return failed
	}
	written, err = p.putEach(ctx, written)
	failed = errors.Join(failed, err)
	for _, key := range written {
		failed = errors.Join(failed, p.mark(ctx, key))
	}
	return failed
}

func (p *Publisher) repeat(ctx context.Context) error {
	keys, err := p.store.PublishedWithin(ctx, keystate.Life)
	if err != nil {
		return err
	}
	_, err = p.putEach(ctx, keys)
	return err
}

// putEach makes one attempt for each key until the context ends, and returns the keys that were written. A key that Redis does
// not take keeps no other back: each master of a cluster has its own.
func (p *Publisher) putEach(ctx context.Context, keys []apikey.Key) (written []apikey.Key, err error) {
	for _, key := range keys {
		failed := ctx.Err()
		if failed == nil {
			failed = p.put(ctx, key)
		}
		if failed == nil {
			written = append(written, key)
		} else if err == nil {
			err = failed
		}
	}
	if err != nil {
		err = fmt.Errorf("%d of %d revocations not written: %w", len(keys)-len(written), len(keys), err)
	}
	return written, err
}

// wait waits for the pause. It returns false if the context ends first.
func wait(ctx context.Context, pause time.Duration) bool {
	if pause == 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
