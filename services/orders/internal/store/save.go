package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

type saved struct {
	status order.Status
	// updatedAt is by seller.
	updatedAt map[uuid.UUID]time.Time
}

// save writes a plan for a locked order: first everything that can block or fail, then the clocks of all sellers of the order
// and the rows with their times. It should be the last step of the transaction, or nearly. A plan without changes writes
// nothing.
func (s *Store) save(ctx context.Context, tx pgx.Tx, o *order.Locked, plan *order.Plan) (saved, error) {
	return s.saveAfter(ctx, tx, &pgx.Batch{}, o, plan)
}

// saveAfter is save after the statements of a batch, in the same round trip.
func (s *Store) saveAfter(ctx context.Context, tx pgx.Tx, writing *pgx.Batch, o *order.Locked, plan *order.Plan) (saved, error) {
	if !plan.Stamps() {
		if writing.Len() == 0 {
			return unchanged(o), nil
		}
		return unchanged(o), postgres.Wrap("save order", tx.SendBatch(ctx, writing).Close())
	}
	queueItems(writing, o, plan, actor.Of(ctx))
	written := queueStamp(writing, o, plan)
	if err := postgres.SendTick(ctx, tx, writing, clocksOf(o), written.updatedAt); err != nil {
		return saved{}, fmt.Errorf("save order: %w", err)
	}
	return written, nil
}

// clocksOf returns the sellers whose clocks a change of the order advances.
func clocksOf(o *order.Locked) []uuid.UUID {
	sellers := make([]uuid.UUID, len(o.Sellers))
	for i := range o.Sellers {
		sellers[i] = o.Sellers[i].ID
	}
	return sellers
}

// unchanged returns the order as read, for a plan that writes nothing.
func unchanged(o *order.Locked) saved {
	as := saved{status: o.Status, updatedAt: make(map[uuid.UUID]time.Time, len(o.Sellers))}
	for _, seller := range o.Sellers {
		as.updatedAt[seller.ID] = seller.UpdatedAt
	}
	return as
}

func queueItems(writing *pgx.Batch, o *order.Locked, plan *order.Plan, by actor.Actor) {
	parcel := newID()
	if plan.Parcel != nil {
		owner, items := parcelItems(plan)
		writing.Queue(queries.SQL("AddParcel"), append([]any{
			wireUUID(owner), wireUUID(o.ID), wireUUID(parcel),
			string(plan.Parcel.Carrier), string(plan.Parcel.TrackingNo), plan.Parcel.Logistics, items, stamp(o.Now),
		}, by.Columns()...)...)
	}
	for i := range plan.Changed {
		item := &plan.Changed[i]
		nameParcel(item, parcel)
		writing.Queue(queries.SQL("SaveItem"), changedColumns(o.ID, item)...)
	}
	for i := range plan.Added {
		item := &plan.Added[i]
		nameParcel(item, parcel)
		writing.Queue(queries.SQL("TakeItemID"), wireUUID(item.ID))
		writing.Queue(queries.SQL("AddItem"), addedColumns(o.ID, item)...)
	}
	if len(plan.Entered) > 0 {
		writing.Queue(queries.SQL("AddChanges"), slices.Concat([]any{wireUUID(o.ID)}, entryColumns(plan.Entered), by.Columns())...)
	}
}

func nameParcel(item *order.LockedItem, parcel uuid.UUID) {
	if item.ParcelID == order.NewParcel {
		item.ParcelID = parcel
	}
}

// parcelItems returns the items of the plan's parcel and their seller. A line that is split off from one of them is in
// the parcel as that one is.
func parcelItems(plan *order.Plan) (owner uuid.UUID, items []pgtype.UUID) {
	for i := range plan.Changed {
		if item := &plan.Changed[i]; item.ParcelID == order.NewParcel {
			owner, items = item.SellerID, append(items, wireUUID(item.ID))
		}
	}
	return owner, items
}

// queueStamp adds the statement that ticks the clocks of the sellers and writes the status, the states, ship_by and updated_at
// for each. It returns the order afterwards; its times are filled in when the statement has run.
func queueStamp(writing *pgx.Batch, o *order.Locked, plan *order.Plan) saved {
	standing := o.Standing(plan)
	n := len(standing.Sellers)
	sellers, states, shipBy := make([]pgtype.UUID, n), make([]int16, n), make([]pgtype.Timestamptz, n)
	for i, seller := range standing.Sellers {
		sellers[i], states[i], shipBy[i] = wireUUID(seller.ID), stateBits(seller.States), stamp(seller.ShipBy)
	}
	return queueTimes(writing, standing.Status, "StampPaidOrder", wireUUID(o.ID), statusCode(standing.Status), sellers, states,
		stamp(o.Now), shipBy)
}

// queueStampAtTick is queueStamp for an order of one seller whose clock the transaction has already ticked.
func queueStampAtTick(writing *pgx.Batch, o *order.Locked, plan *order.Plan) saved {
	standing := o.Standing(plan)
	seller := standing.Sellers[0]
	return queueTimes(writing, standing.Status, "StampAtTick", wireUUID(o.ID), statusCode(standing.Status), wireUUID(seller.ID),
		stateBits(seller.States), stamp(seller.ShipBy))
}

// queueTimes adds a statement that returns sellers and their times.
func queueTimes(writing *pgx.Batch, status order.Status, name string, args ...any) saved {
	written := saved{status: status, updatedAt: map[uuid.UUID]time.Time{}}
	writing.Queue(queries.SQL(name), args...).Query(readStamps(written.updatedAt))
	return written
}

func readStamps(updatedAt map[uuid.UUID]time.Time) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var seller pgtype.UUID
		var at time.Time
		_, err := pgx.ForEachRow(rows, []any{&seller, &at}, func() error {
			updatedAt[seller.Bytes] = at.UTC()
			return nil
		})
		return err
	}
}
