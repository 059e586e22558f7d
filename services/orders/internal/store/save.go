package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/services/orders/internal/order"
)

// saved is an order after its plan was written.
type saved struct {
	status order.Status
	// updatedAt is by seller.
	updatedAt map[uuid.UUID]time.Time
}

// save writes a plan for a locked order: everything that can wait or fail first, then the clocks of all sellers of the order
// and the rows that carry their times. It is the last thing of its transaction, or nearly. A plan that changes nothing
// writes nothing.
func (s *Store) save(ctx context.Context, tx pgx.Tx, o *order.Locked, plan *order.Plan) (saved, error) {
	return s.saveWith(ctx, tx, o, plan, queueStamp)
}

// stamping adds the statement that writes what an order's items add up to, and its time for each seller. The times come into
// updatedAt when it is run. It returns the status of the order.
type stamping func(writing *pgx.Batch, o *order.Locked, plan *order.Plan, updatedAt map[uuid.UUID]time.Time) order.Status

// saveWith is save with the stamping of the caller's choice.
func (s *Store) saveWith(ctx context.Context, tx pgx.Tx, o *order.Locked, plan *order.Plan, stamp stamping) (saved, error) {
	writing, written := queueSave(o, plan, stamp)
	if writing == nil {
		return written, nil
	}
	if err := tx.SendBatch(ctx, writing).Close(); err != nil {
		return saved{}, fmt.Errorf("save order: %w", err)
	}
	return written, nil
}

// queueSave returns the statements that write a plan, nil for one that changes nothing, and the order as it is then. Its times are
// there when the statements have run.
func queueSave(o *order.Locked, plan *order.Plan, stamp stamping) (*pgx.Batch, saved) {
	written := saved{status: o.Status, updatedAt: make(map[uuid.UUID]time.Time, len(o.Sellers))}
	if !plan.Stamps() {
		for _, seller := range o.Sellers {
			written.updatedAt[seller.ID] = seller.UpdatedAt
		}
		return nil, written
	}
	writing := &pgx.Batch{}
	queueItems(writing, o, plan)
	written.status = stamp(writing, o, plan, written.updatedAt)
	return writing, written
}

// queueItems adds the statements that write parcels, items and history.
func queueItems(writing *pgx.Batch, o *order.Locked, plan *order.Plan) {
	parcel := newID()
	if plan.Parcel != nil {
		writing.Queue(queries.SQL("AddParcel"), wireUUID(parcelOwner(plan)), wireUUID(o.ID), wireUUID(parcel),
			string(plan.Parcel.Carrier), string(plan.Parcel.TrackingNo), plan.Parcel.Logistics)
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
		writing.Queue(queries.SQL("AddChanges"), append([]any{wireUUID(o.ID)}, entryColumns(plan.Entered)...)...)
	}
}

// nameParcel puts an item that travels in the plan's parcel into it.
func nameParcel(item *order.LockedItem, parcel uuid.UUID) {
	if item.ParcelID == order.NewParcel {
		item.ParcelID = parcel
	}
}

// parcelOwner is the seller whose items travel in the parcel of the plan.
func parcelOwner(plan *order.Plan) uuid.UUID {
	for i := range plan.Changed {
		if plan.Changed[i].ParcelID == order.NewParcel {
			return plan.Changed[i].SellerID
		}
	}
	return uuid.Nil
}

// queueStamp is the stamping that ticks the clocks of the sellers.
func queueStamp(writing *pgx.Batch, o *order.Locked, plan *order.Plan, updatedAt map[uuid.UUID]time.Time) order.Status {
	standing := o.Standing(plan)
	n := len(standing.Sellers)
	sellers, statuses, states := make([]pgtype.UUID, n), make([]string, n), make([]string, n)
	for i, seller := range standing.Sellers {
		sellers[i], statuses[i], states[i] = wireUUID(seller.ID), string(seller.Status), wireStates(seller.States)
	}
	statement, args := widen("StampPaidOrder", plan, wireUUID(o.ID), string(standing.Status), sellers, statuses, states)
	writing.Queue(statement, args...).Query(readStamps(updatedAt))
	return standing.Status
}

// queueSharedStamp is the stamping of an order of one seller that shares the time of the clock with others; see [Instant].
func queueSharedStamp(writing *pgx.Batch, o *order.Locked, plan *order.Plan, updatedAt map[uuid.UUID]time.Time) order.Status {
	standing := o.Standing(plan)
	seller := standing.Sellers[0]
	statement, args := widen("StampAtSharedTime", plan, wireUUID(o.ID), string(standing.Status), wireUUID(seller.ID), string(seller.Status),
		wireStates(seller.States))
	writing.Queue(statement, args...).Query(readStamps(updatedAt))
	return standing.Status
}

// readStamps reads sellers and their times.
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

// wireStates are states as a stamp spells them.
func wireStates(states order.Set) string { return strings.Join(stateNames(states), ",") }
