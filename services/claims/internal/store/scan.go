package store

import (
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/services/claims/internal/claim"
)

// Row is a claim with its key in the seller's tables.
type Row struct {
	ID uuid.UUID
	// Changes is the number of history rows of the claim.
	Changes int
	claim.Claim
}

func scanClaim(row pgx.CollectableRow) (Row, error) {
	var (
		r                                  Row
		frozenBy, frozenCode, frozenReason *string
		frozenAt                           *time.Time
		freezePending                      claim.Trigger
		items                              itemColumns
		evidence                           evidenceColumns
	)
	m := &r.Money
	into := []any{
		&r.ID, &r.Changes, &r.No, &r.OrderNo, &r.SellerID, &r.Type, &r.Status, &r.Reason,
		&m.Goods, &m.Fee, &m.Difference, &m.ShippingPaid, &m.SellerQuantity, &m.AlreadyRefunded,
		&m.Shortfall, &m.ShortfallPaid, &m.ShortfallPaymentID, &m.Refund, &m.Shipping,
		&m.Points, &m.WayOut, &m.ShippingPoints, &m.AlreadyPoints, &m.RefundPoints,
		&r.RequestedAt, &r.CompletedAt, &r.UpdatedAt, &r.PaymentDueAt, &r.InspectionDueAt,
		&frozenBy, &frozenCode, &frozenReason, &frozenAt, &freezePending, &r.Replaces, &r.ReplacedBy,
	}
	if err := row.Scan(slices.Concat(into, items.targets(), evidence.targets())...); err != nil {
		return Row{}, err
	}
	if frozenAt != nil {
		r.Freeze = &claim.Freeze{
			By: *frozenBy, Code: claim.FreezeCode(*frozenCode), Reason: *frozenReason, At: *frozenAt, Pending: freezePending,
		}
	}
	r.Items = items.items()
	r.Performed = evidence.evidences()
	return r, nil
}

func scanRefund(row pgx.CollectableRow) (claim.Refund, error) {
	var r claim.Refund
	err := row.Scan(&r.ID, &r.ClaimNo, &r.Kind, &r.Amount, &r.Points, &r.Status, &r.Failures, &r.NextAt, &r.UnansweredSince,
		&r.ProviderReference, &r.CreatedAt, &r.SucceededAt)
	return r, err
}
