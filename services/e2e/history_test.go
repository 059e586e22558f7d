package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// happened is an event of a history, of an order or a claim.
type happened struct {
	ChangedAt  string   `json:"changed_at"`
	Event      string   `json:"event"`
	ChangedBy  string   `json:"changed_by"`
	KeyPrefix  string   `json:"key_prefix"`
	ItemIDs    []string `json:"item_ids"`
	ItemStatus string   `json:"item_status"`
	TrackingNo string   `json:"tracking_no"`
	ClaimNo    string   `json:"claim_no"`
	Outcome    string   `json:"outcome"`
	Status     string   `json:"status"`
	Parcel     string   `json:"parcel"`
	Refund     string   `json:"refund_status"`
}

// happenings reads a history, and returns it as lines with what each event says, and as text.
func (d *session) happenings(t *testing.T, path string) (lines []string, text string) {
	t.Helper()
	answer := d.client.Do(t, stacktest.Get("", path+"/history"))
	data := stacktest.RequireOK[struct {
		Events []happened `json:"events"`
	}](t, answer)
	last := ""
	for _, e := range data.Events {
		require.LessOrEqual(t, last, e.ChangedAt)
		last = e.ChangedAt
		require.Equal(t, e.ChangedBy == "seller", e.KeyPrefix != "")
		lines = append(lines, strings.Join(strings.Fields(fmt.Sprint(e.ChangedBy, " ", e.Event, " ", e.ItemStatus, " ", e.TrackingNo,
			" ", e.Outcome, " ", e.Status, " ", e.Parcel, " ", e.Refund)), " "))
		if e.KeyPrefix != "" {
			require.Len(t, e.KeyPrefix, 12)
			require.True(t, strings.HasPrefix(e.KeyPrefix, "vpk_test_"))
		}
	}
	return lines, string(answer.Body)
}

// The histories of an order and of its claim say what happened and who did it, and nothing about people.
func TestHistory_orderAndClaim(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.PlaceNew(t, d.seller.ID, lines(1))
	no, item := order.GetOrderNo(), order.GetSellers()[0].GetLines()[0].GetItemId()
	require.Equal(t, 200, d.client.Do(t, d.toShip(t, no, shipped(item))).Status)
	_, err := d.correct(t, no, item, "delivered", nil, act())
	require.NoError(t, err)
	claim := d.claimOn(t, order, stacktest.Return)
	d.act(t, claim.ClaimNo, "reject", rejection())
	d.client.AwaitClaim(t, claim.ClaimNo, "rejected")

	of, text := d.happenings(t, "/open/v1/orders/"+no)
	tracking := shipped(item)["tracking_no"]
	require.Equal(t, []string{
		"system status paid", fmt.Sprint("seller parcel ", tracking), "seller status shipping", "operator status delivered",
		"claim hold", "claim hold_end released",
	}, of)
	claims, claimText := d.happenings(t, "/open/v1/claims/"+claim.ClaimNo)
	require.Equal(t, []string{"customer status requested", "seller status rejected"}, claims)
	for table, statement := range map[string]string{
		"status_changes": `select count(*) from orders.status_changes c join orders.orders o using (seller_id, order_id)
			where c.seller_id = $1 and o.order_no = $2 and c.changed_by <> 'system' and c.request_id is null`,
		"history": `select count(*) from claims.history h join claims.claims c using (seller_id, claim_id)
			where h.seller_id = $1 and c.order_no = $2 and h.request_id is null`,
	} {
		var unknown int
		require.NoError(t, d.SQL(t).QueryRow(t.Context(), statement, d.seller.ID, no).Scan(&unknown))
		require.Zero(t, unknown, "the request of each change that was asked for is known: %s", table)
	}
	contact, err := json.Marshal(order.GetContact())
	require.NoError(t, err)
	var personal map[string]any
	require.NoError(t, json.Unmarshal(contact, &personal))
	for _, one := range personal {
		require.NotContains(t, text+claimText, one)
	}
	other := openSession(t).client
	stacktest.RequireFailure(t, other.Do(t, stacktest.Get("", "/open/v1/orders/"+no+"/history")), 404, "ORDER_NOT_FOUND")
	stacktest.RequireFailure(t, other.Do(t, stacktest.Get("", "/open/v1/claims/"+claim.ClaimNo+"/history")), 404, "CLAIM_NOT_FOUND")
}
