package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// guideEffect arranges the data that the program of a page works on, and returns the program's arguments and a function that
// checks its effect, given its output and the folder that it ran in.
type guideEffect func(t *testing.T, d *session) (arguments []string, required func(t *testing.T, said, place string))

var guideEffects = map[string]guideEffect{
	"start": listsPaidOrders, "copy": copiesOrders, "ship": shipsInParcels, "claims": approvesCancels, "exchange": exchanges,
	"inquiries": answersInquiry, "retries": repeatsUnderItsKey, "limits": tellsWhatIsLeft,
}

func listsPaidOrders(t *testing.T, d *session) ([]string, func(*testing.T, string, string)) {
	t.Helper()
	paid, _ := d.place(t)
	d.place(t, stacktest.InState("shipping"))
	return nil, func(t *testing.T, said, _ string) {
		t.Helper()
		require.Equal(t, paid+" paid\n", said)
	}
}

func copiesOrders(t *testing.T, d *session) ([]string, func(*testing.T, string, string)) {
	t.Helper()
	const orders = 104 // two pages
	d.PlaceMany(t, orders, d.seller.ID)
	return nil, func(t *testing.T, said, place string) {
		t.Helper()
		require.Equal(t, "104 orders came\n", said)
		text, err := os.ReadFile(filepath.Join(place, "copy.json"))
		require.NoError(t, err)
		var copied struct {
			State struct {
				CollectedAt string `json:"collected_at"`
			}
			Orders map[string]stacktest.Order
		}
		require.NoError(t, json.Unmarshal(text, &copied))
		require.NotEmpty(t, copied.State.CollectedAt, "the round is complete")
		require.Len(t, copied.Orders, orders)
	}
}

func shipsInParcels(t *testing.T, d *session) ([]string, func(*testing.T, string, string)) {
	t.Helper()
	no, _ := d.place(t, lines(2))
	return []string{no}, func(t *testing.T, said, _ string) {
		t.Helper()
		var want strings.Builder
		parcels := map[string]string{}
		for _, item := range d.order(t, no).Items {
			parcels[*item.TrackingNo] = *item.CarrierName
			fmt.Fprintln(&want, item.ItemID, "delivered", *item.TrackingNo)
		}
		require.Equal(t, map[string]string{"612345678904": "CJ대한통운", "412345678901": "한진택배"}, parcels)
		require.Equal(t, want.String(), said)
	}
}

func approvesCancels(t *testing.T, d *session) ([]string, func(*testing.T, string, string)) {
	t.Helper()
	canceled, returned, frozen := d.newClaim(t, stacktest.Cancel), d.newClaim(t, stacktest.Return), d.newClaim(t, stacktest.Cancel)
	d.FreezeClaim(t, frozen.ClaimNo, "fraud")
	return nil, func(t *testing.T, said, _ string) {
		t.Helper()
		require.Contains(t, strings.ReplaceAll(said, "refund_processing", "completed"), canceled.ClaimNo+" completed\n",
			"the refund may be through")
		require.Contains(t, said, frozen.ClaimNo+" CLAIM_NOT_APPROVABLE\n")
		require.Equal(t, 2, strings.Count(said, "\n"), said)
		d.client.AwaitClaim(t, canceled.ClaimNo, "completed")
		require.Equal(t, "requested", d.client.Claim(t, returned.ClaimNo).Status, "its approval was not requested")
	}
}

func exchanges(t *testing.T, d *session) ([]string, func(*testing.T, string, string)) {
	t.Helper()
	claim := d.newClaim(t, stacktest.Exchange)
	return []string{claim.ClaimNo}, func(t *testing.T, said, _ string) {
		t.Helper()
		require.Equal(t, claim.ClaimNo+" completed\n", said)
		shipped := map[bool]string{}
		for _, item := range d.order(t, claim.OrderNo).Items {
			shipped[item.IsExchange] = item.ItemStatus
		}
		require.Equal(t, map[bool]string{true: "shipping", false: "exchanged"}, shipped)
	}
}

func answersInquiry(t *testing.T, d *session) ([]string, func(*testing.T, string, string)) {
	t.Helper()
	d.answered(t)
	asked := stacktest.NewInquiry(d.seller.ID)
	d.Ask(t, asked)
	id := asked.GetQnaId()
	return []string{id, "네, 됩니다."}, func(t *testing.T, said, _ string) {
		t.Helper()
		require.Equal(t, id+" product "+asked.GetBody()+"\n"+id+" answered false\n", strings.ToLower(said), "Python writes False")
	}
}

func repeatsUnderItsKey(t *testing.T, d *session) ([]string, func(*testing.T, string, string)) {
	t.Helper()
	no, ids := d.place(t, stacktest.InState("shipping"))
	return []string{no, ids[0]}, func(t *testing.T, said, _ string) {
		t.Helper()
		require.Equal(t, "replayed: false\nreplayed: true\n", strings.ToLower(said), "Python writes True")
		require.Equal(t, "delivered", d.order(t, no).Items[0].ItemStatus)
	}
}

func tellsWhatIsLeft(t *testing.T, d *session) ([]string, func(*testing.T, string, string)) {
	t.Helper()
	d.place(t)
	return nil, func(t *testing.T, said, _ string) {
		t.Helper()
		require.Equal(t, "59 of 60 calls, 2999 of 3000 rows\n", said)
	}
}
