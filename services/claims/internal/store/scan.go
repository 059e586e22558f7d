package store

import (
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/services/claims/internal/claim"
)

// Row is a claim with its place in the list and in the tables of its seller.
type Row struct {
	ID uuid.UUID
	// Changes is how many rows of history the claim has.
	Changes int
	claim.Claim
}

// itemRow and evidenceRow are the records that SelectClaims builds; they implement pgtype.CompositeIndexScanner.
type (
	itemRow     claim.Item
	evidenceRow claim.Evidence
)

// ScanNull implements pgtype.CompositeIndexScanner.
func (*itemRow) ScanNull() error { return errNoRecord }

// ScanNull implements pgtype.CompositeIndexScanner.
func (*evidenceRow) ScanNull() error { return errNoRecord }

// errNoRecord says that an element of an array of records is null, which none is.
var errNoRecord = errors.New("a record is null")

// ScanIndex implements pgtype.CompositeIndexScanner.
func (r *itemRow) ScanIndex(i int) any {
	return [...]any{
		&r.ItemID, &r.SettledItemID, &r.ItemCode, &r.Quantity, &r.ProductName, &r.OptionName, &r.ExchangeOptionName, &r.ExchangeListPrice,
		&r.Goods, &r.Difference, &r.Points, &r.AlreadyRefunded,
	}[i]
}

// ScanIndex implements pgtype.CompositeIndexScanner.
func (r *evidenceRow) ScanIndex(i int) any {
	return [...]any{
		&r.Action, &r.Values.Carrier, &r.Values.TrackingNo, &r.Values.Result, &r.Values.Memo, &r.Actor.Kind, &r.Actor.Name, &r.At, &r.Pending,
	}[i]
}

// scanClaim reads a row of SelectClaims.
func scanClaim(row pgx.CollectableRow) (Row, error) {
	var (
		r                                  Row
		frozenBy, frozenCode, frozenReason *string
		frozenAt                           *time.Time
		items                              []itemRow
		evidence                           []evidenceRow
	)
	m := &r.Money
	err := row.Scan(&r.ID, &r.Changes, &r.No, &r.OrderNo, &r.SellerID, &r.Type, &r.Status, &r.Reason,
		&m.Goods, &m.Fee, &m.Difference, &m.ShippingPaid, &m.SellerQuantity, &m.AlreadyRefunded,
		&m.Shortfall, &m.ShortfallPaid, &m.ShortfallPaymentID, &m.Refund, &m.Shipping,
		&m.Points, &m.WayOut, &m.ShippingPoints, &m.AlreadyPoints, &m.RefundPoints,
		&r.RequestedAt, &r.CompletedAt, &r.UpdatedAt, &r.PaymentDueAt, &r.InspectionDueAt,
		&frozenBy, &frozenCode, &frozenReason, &frozenAt, &r.Replaces, &r.ReplacedBy, &items, &evidence)
	if err != nil {
		return Row{}, err
	}
	if frozenAt != nil {
		r.Freeze = &claim.Freeze{By: *frozenBy, Code: claim.FreezeCode(*frozenCode), Reason: *frozenReason, At: *frozenAt}
	}
	r.Items = toItems(items)
	r.Performed = toEvidence(evidence)
	return r, nil
}

func toItems(rows []itemRow) []claim.Item {
	items := make([]claim.Item, 0, len(rows))
	for _, row := range rows {
		items = append(items, claim.Item(row))
	}
	return items
}

func toEvidence(rows []evidenceRow) claim.Evidences {
	if len(rows) == 0 {
		return nil
	}
	performed := make(claim.Evidences, 0, len(rows))
	for _, row := range rows {
		row.At = row.At.UTC()
		performed = append(performed, claim.Evidence(row))
	}
	return performed
}

// scanRefund reads a row of FindRefunds.
func scanRefund(row pgx.CollectableRow) (claim.Refund, error) {
	var r claim.Refund
	err := row.Scan(&r.ID, &r.ClaimNo, &r.Kind, &r.Amount, &r.Points, &r.Status, &r.Failures, &r.NextAt, &r.UnansweredSince,
		&r.ProviderReference, &r.CreatedAt, &r.SucceededAt)
	return r, err
}
