package stacktest

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/web"
)

// Answer is a response to a client, read completely.
type Answer struct {
	Status int
	Header http.Header
	// Body is the text after decompression.
	Body []byte
	// Meta and Data are the members of the envelope.
	Meta web.Meta
	Data json.RawMessage
	// Unchecked is how often the call was made before. In each of these attempts the limits could not be checked in time,
	// but the call may have been counted.
	Unchecked int
}

// Page is the data of a list response.
type Page[T any] struct {
	List       []T     `json:"list"`
	NextCursor *string `json:"next_cursor"`
	// After is empty unless the page was read forwards.
	After string `json:"after,omitempty"`
}

// Order is an order as the specification describes it to clients.
type Order struct {
	OrderNo               string  `json:"order_no"`
	OrderStatus           string  `json:"order_status"`
	PaidAt                string  `json:"paid_at"`
	UpdatedAt             string  `json:"updated_at"`
	Currency              string  `json:"currency"`
	SellerItemsAmount     int64   `json:"seller_items_amount"`
	SellerDiscountAmount  int64   `json:"seller_discount_amount"`
	SellerPointUsedAmount int64   `json:"seller_point_used_amount"`
	SellerPaidAmount      int64   `json:"seller_paid_amount"`
	SellerShippingFeeBase int64   `json:"seller_shipping_fee_base"`
	SellerShippingFeePaid int64   `json:"seller_shipping_fee_paid"`
	OrdererName           *string `json:"orderer_name"`
	OrdererPhone          *string `json:"orderer_phone"`
	RecipientName         *string `json:"recipient_name"`
	RecipientPhone        *string `json:"recipient_phone"`
	Zipcode               *string `json:"zipcode"`
	Address1              *string `json:"address1"`
	Address2              *string `json:"address2"`
	ShipMemo              *string `json:"ship_memo"`
	Items                 []Item  `json:"items"`
}

// Item is an order line as the specification describes it to clients.
type Item struct {
	ItemID           string  `json:"item_id"`
	ItemCode         string  `json:"item_code"`
	ProductName      string  `json:"product_name"`
	OptionName       string  `json:"option_name"`
	Quantity         int64   `json:"quantity"`
	ListPrice        int64   `json:"list_price"`
	UnitPrice        int64   `json:"unit_price"`
	LineAmount       int64   `json:"line_amount"`
	DiscountAmount   int64   `json:"discount_amount"`
	LinePaidAmount   int64   `json:"line_paid_amount"`
	ItemStatus       string  `json:"item_status"`
	IsExchange       bool    `json:"is_exchange"`
	HasActiveClaim   bool    `json:"has_active_claim"`
	CarrierName      *string `json:"carrier_name"`
	TrackingNo       *string `json:"tracking_no"`
	LogisticsCompany *string `json:"logistics_company"`
	ShippedAt        *string `json:"shipped_at"`
	DeliveredAt      *string `json:"delivered_at"`
	ConfirmedAt      *string `json:"confirmed_at"`
	ShipBy           *string `json:"ship_by"`
}

// read checks that the answer is an envelope, as every answer of the gateway must be, and parses it.
func (a *Answer) read(t *testing.T) {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(a.Body, &members), "not JSON: %d %q", a.Status, a.Body)
	require.Len(t, members, 2, "%s", a.Body)
	var envelope web.Envelope
	require.NoError(t, json.Unmarshal(a.Body, &envelope))
	a.Meta, a.Data = envelope.Meta, envelope.Data
	require.Equal(t, a.Status, a.Meta.Code, "%s", a.Body)
	require.NotEmpty(t, a.Meta.Message)
	require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.NotEmpty(t, a.Header.Get("X-Request-Id"))
	if a.Status == http.StatusOK {
		require.Nil(t, a.Meta.ErrorCode)
		require.Nil(t, a.Meta.ErrorData)
		require.NotEqual(t, "null", string(a.Data))
		return
	}
	require.Equal(t, "null", string(a.Data))
	require.Equal(t, a.Header.Get("X-Request-Id"), a.Meta.ErrorData["request_id"])
}

// Code returns the answer's error code, or "" when it is null.
func (a Answer) Code() string {
	if a.Meta.ErrorCode == nil {
		return ""
	}
	return *a.Meta.ErrorCode
}

func (a Answer) isBusy() bool { return a.Code() == "RATE_LIMIT_UNAVAILABLE" }

// RequireOK checks that an answer is a success and returns its data.
func RequireOK[T any](t *testing.T, a Answer) T {
	t.Helper()
	require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
	var data T
	require.NoError(t, json.Unmarshal(a.Data, &data))
	return data
}

// RequireFailure checks that an answer is a failure with this status and code; an empty code stands for null.
func RequireFailure(t *testing.T, a Answer, status int, code string) {
	t.Helper()
	require.Equal(t, status, a.Status, "%s", a.Body)
	require.Equal(t, code, a.Code(), "%s", a.Body)
}

// RequireInvalid checks that an answer is a validation error that names exactly these fields, and returns its errors.
func RequireInvalid(t *testing.T, a Answer, fields ...string) []map[string]any {
	t.Helper()
	RequireFailure(t, a, http.StatusUnprocessableEntity, "VALIDATION_ERROR")
	listed, ok := a.Meta.ErrorData["errors"].([]any)
	require.True(t, ok, "%s", a.Body)
	got, problems := make([]string, 0, len(listed)), make([]map[string]any, 0, len(listed))
	for _, one := range listed {
		problem, ok := one.(map[string]any)
		require.True(t, ok)
		require.NotEmpty(t, problem["code"])
		require.NotEmpty(t, problem["message"])
		field, _ := problem["field"].(string)
		got, problems = append(got, field), append(problems, problem)
	}
	require.ElementsMatch(t, fields, got, "%s", a.Body)
	return problems
}
