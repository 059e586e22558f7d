// Package revocation makes the end of an API key certain.
//
// A revocation is true once PostgreSQL has it, and certain once no gateway can admit the key any more. Publish brings
// it from one to the other: it writes the revoked entry into Redis, waits until every older reading of PostgreSQL is too
// old to be written (keystate.Fence), and writes it again; see package keystate for why that is enough. Only then does
// RevokeKey answer.
//
// A crash or an absent Redis in between leaves the revocation unpublished. Every gateway looks for such ones and
// publishes them, so that they become certain without anybody's doing; calls that meet an absent Redis are not admitted
// anyway.
//
// A Redis may lose what it has taken, when a replica is promoted that had not heard of it yet. So every gateway writes the
// revocations of the last keystate.Life again each second: for longer no entry from before can live.
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
	// settle is how long Publish waits between its two writes: the fence, and a margin for a Redis clock that is slower
	// than ours.
	settle = keystate.Fence + 100*time.Millisecond
	// searchPause is the time between two looks for revocations to publish or to write again.
	searchPause = time.Second
	// writePause is the time between two tries to reach Redis.
	writePause = 100 * time.Millisecond
)

// Store is what PostgreSQL knows of revocations.
type Store interface {
	// Unpublished returns revoked keys that are not published.
	Unpublished(ctx context.Context) ([]apikey.Key, error)
	// PublishedWithin returns keys whose revocation became certain so long ago or later.
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

// Publish returns when no gateway can admit the revoked key any more. It tries for as long as the context lasts.
//
// Unavailable: the revocation stands, and is not certain yet.
func (p *Publisher) Publish(ctx context.Context, key apikey.Key) error {
	return p.publish(ctx, []apikey.Key{key})
}

// publish makes revocations certain together: however many there are, they cost one wait.
func (p *Publisher) publish(ctx context.Context, keys []apikey.Key) error {
	for _, pause := range []time.Duration{settle, 0} {
		for _, key := range keys {
			if err := p.write(ctx, key); err != nil {
				return err
			}
		}
		if !wait(ctx, pause) {
			return apierr.Unavailable.Because(context.Cause(ctx))
		}
	}
	for _, key := range keys {
		if err := p.store.MarkPublished(ctx, key.SellerID, key.ID); err != nil {
			return fmt.Errorf("mark revocation as published: %w", err)
		}
	}
	return nil
}

// write brings the revoked entry into Redis, however often it takes.
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

// put tries once to bring the revoked entry into Redis.
func (p *Publisher) put(ctx context.Context, key apikey.Key) error {
	caller := admission.Caller{Seller: key.SellerID, Key: key.ID}
	return p.admitter.PutKey(ctx, caller, keystate.State{Revoked: true, Version: key.Version}, time.Time{})
}

// Keep publishes what others left unpublished, and writes recent revocations again, until the context ends.
func (p *Publisher) Keep(ctx context.Context) {
	for wait(ctx, searchPause) {
		if err := errors.Join(p.finish(ctx), p.repeat(ctx)); err != nil && ctx.Err() == nil {
			p.logger.WarnContext(ctx, "keeping revocations published failed", "error", err)
		}
	}
}

// finish publishes what others left unpublished.
func (p *Publisher) finish(ctx context.Context) error {
	keys, err := p.store.Unpublished(ctx)
	if err != nil || len(keys) == 0 {
		return err
	}
	if err := p.publish(ctx, keys); err != nil {
		return fmt.Errorf("publish %d revocations that were left unpublished: %w", len(keys), err)
	}
	return nil
}

// repeat writes recent revocations again.
func (p *Publisher) repeat(ctx context.Context) error {
	keys, err := p.store.PublishedWithin(ctx, keystate.Life)
	for _, key := range keys {
		if err != nil {
			break
		}
		err = p.put(ctx, key)
	}
	return err
}

// wait reports false when the context ended first.
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
