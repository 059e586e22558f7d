package store

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/claims/internal/claim"
)

// Row is a claim with its place in the list and in the tables of its seller.
type Row struct {
	ID uuid.UUID
	// Changes is how many rows of history the claim has.
	Changes int
	claim.Claim
}

// itemRow and evidenceRow are the objects that SelectClaims builds.
type itemRow struct {
	ItemID             uuid.UUID  `json:"item_id"`
	SettledItemID      *uuid.UUID `json:"settled_item_id"`
	ItemCode           string     `json:"item_code"`
	Quantity           int64      `json:"quantity"`
	ProductName        string     `json:"product_name"`
	OptionName         string     `json:"option_name"`
	ExchangeOptionName string     `json:"exchange_option_name"`
	ExchangeListPrice  int64      `json:"exchange_list_price"`
	Goods              int64      `json:"goods"`
	Difference         int64      `json:"difference"`
	Points             int64      `json:"points"`
	AlreadyRefunded    int64      `json:"already_refunded"`
}

type evidenceRow struct {
	Action     claim.Trigger      `json:"action"`
	Carrier    carrier.Name       `json:"carrier"`
	TrackingNo carrier.TrackingNo `json:"tracking_no"`
	Result     claim.Result       `json:"result"`
	Memo       string             `json:"memo"`
	Actor      claim.ActorKind    `json:"actor"`
	ActorName  string             `json:"actor_name"`
	At         time.Time          `json:"at"`
	Pending    bool               `json:"pending"`
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
		performed = append(performed, claim.Evidence{
			Action:  row.Action,
			Values:  claim.Values{Carrier: row.Carrier, TrackingNo: row.TrackingNo, Result: row.Result, Memo: row.Memo},
			Actor:   claim.Actor{Kind: row.Actor, Name: row.ActorName},
			At:      row.At.UTC(),
			Pending: row.Pending,
		})
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
