// Package sellerclock moves the clocks of sellers in a test environment, where the developer of a client cannot wait for days.
//
// Each service has an offset for each seller, which the function seller_now of its schema adds to the wall clock; see "Moved
// clocks" in package postgres. A clock only moves forward. What is due is found by the sweeps of the service, for the seller
// and at the time of the seller, and done by them: there is no second implementation of the work.
//
// A crash between a move and the work leaves the work due: the next call does it, and without one the sweep of this package.
package sellerclock

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
)

// Clock moves the clocks of sellers in the schema of one service.
type Clock struct {
	pool     *postgres.Pool
	tel      *telemetry.Telemetry
	sweepers []*sweep.Sweeper
}

// New returns what moves the clocks of sellers, and runs these sweeps for a seller.
func New(pool *postgres.Pool, tel *telemetry.Telemetry, sweeps []sweep.Sweep) *Clock {
	c := &Clock{pool: pool, tel: tel}
	for _, one := range sweeps {
		c.sweepers = append(c.sweepers, sweep.New(one, tel))
	}
	return c
}

// AdvanceRequest is AdvanceRequest of every service.
type AdvanceRequest interface {
	GetSellerId() string
	GetBy() *durationpb.Duration
	GetFrom() *durationpb.Duration
}

// Advance moves the clock of a seller, and returns its time and how far it is ahead. Codes: VALIDATION_ERROR; failed
// precondition where the clocks cannot be moved.
func (c *Clock) Advance(ctx context.Context, request AdvanceRequest) (*timestamppb.Timestamp, *durationpb.Duration, error) {
	var p invalid.Problems
	seller := p.UUID("seller_id", request.GetSellerId())
	by := readDuration(&p, "by", request.GetBy())
	var from *time.Duration
	if request.GetFrom() != nil {
		from = new(readDuration(&p, "from", request.GetFrom()))
	}
	if err := p.Err(); err != nil {
		return nil, nil, err
	}
	now, offset, err := c.advance(ctx, seller, from, by)
	switch {
	case errors.Is(err, postgres.ErrFixedClocks):
		return nil, nil, connect.NewError(connect.CodeFailedPrecondition, err)
	case errors.Is(err, postgres.ErrTooFarAhead):
		p.Add("by", apierr.FieldRange, postgres.ErrTooFarAhead.Error())
		return nil, nil, p.Err()
	case err != nil:
		return nil, nil, err
	}
	return timestamppb.New(now), durationpb.New(offset), nil
}

func readDuration(p *invalid.Problems, field string, sent *durationpb.Duration) time.Duration {
	length := sent.AsDuration()
	if length < 0 || length > postgres.MaxOffset {
		p.Add(field, apierr.FieldRange, "must be between 0 and "+postgres.MaxOffset.String())
	}
	return length
}

func (c *Clock) advance(ctx context.Context, seller uuid.UUID, from *time.Duration, by time.Duration) (now time.Time,
	offset time.Duration, err error,
) {
	err = postgres.InTx(ctx, postgres.OfSeller(c.pool, seller), func(ctx context.Context, tx pgx.Tx) error {
		move, err := postgres.MoveSellerClock(ctx, tx, seller, from, by)
		if err != nil {
			return err
		}
		if offset = move.After; move.After != move.Before {
			if err := inbox.Age(ctx, tx, seller, move); err != nil {
				return err
			}
		}
		now, err = postgres.SellerNow(ctx, tx, seller)
		return err
	})
	return now, offset, err
}

// RunDueRequest is RunDueRequest of every service.
type RunDueRequest interface{ GetSellerId() string }

// RunDue does once what is due for a seller, and returns how much of it is not due any more, and whether something failed.
func (c *Clock) RunDue(ctx context.Context, request RunDueRequest) (done int32, failed bool, err error) {
	var p invalid.Problems
	seller := p.UUID("seller_id", request.GetSellerId())
	if err := p.Err(); err != nil {
		return 0, false, err
	}
	ran, err := c.run(ctx, seller)
	if err != nil {
		c.tel.Logger.LogAttrs(ctx, slog.LevelWarn, "work of a seller failed",
			slog.String("seller_id", seller.String()), slog.Any("error", err))
	}
	return int32(ran), err != nil, nil //nolint:gosec // a few batches of a few hundred
}

// run runs every sweep once. What one of them does may be what another one finds.
func (c *Clock) run(ctx context.Context, seller uuid.UUID) (done int, err error) {
	var problems []error
	for _, sweeper := range c.sweepers {
		now, err := postgres.SellerNow(ctx, postgres.OfSeller(c.pool, seller), seller)
		if err != nil {
			return done, err
		}
		ran, err := sweeper.Due(ctx, seller, now)
		done += ran
		problems = append(problems, err)
	}
	return done, errors.Join(problems...)
}

// sweepInterval is the longest time for which work that is due by a moved clock waits.
const sweepInterval = 2 * time.Second

// Sweep does what is due for the sellers whose clocks were moved: the other sweeps find what is due by the wall clock.
func (c *Clock) Sweep() sweep.Sweep {
	return sweep.Sweep{Name: "moved_clock", Interval: sweepInterval, Find: sweep.Each(
		func(ctx context.Context, limit int) ([]uuid.UUID, error) {
			return postgres.MovedSellers(ctx, c.pool, limit)
		},
		func(seller uuid.UUID) sweep.Item {
			return sweep.Item{Key: seller.String(), Do: func(ctx context.Context) error {
				_, err := c.run(ctx, seller)
				return err
			}}
		})}
}
