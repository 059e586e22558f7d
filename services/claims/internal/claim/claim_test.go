package claim_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/claims/internal/claim"
)

var update = flag.Bool("update", false, "rewrite golden files and documents")

var now = time.Date(2026, 3, 2, 9, 30, 0, 123456000, time.UTC)

var (
	seller   = claim.Actor{Kind: claim.ByAPI, Name: "key-1"}
	operator = claim.Actor{Kind: claim.ByOperator, Name: "kim"}
)

var around = claim.Surroundings{Periods: claim.DefaultPeriods()}

// itemID is the one line of sample claims, splitID the line that its claimed part becomes.
var (
	itemID  = uuid.MustParse("0190a000-0000-7000-8000-000000000001")
	splitID = uuid.MustParse("0190a000-0000-7000-8000-000000000002")
)

// wanted returns a request for one piece.
func wanted(kind claim.Type, reason claim.Reason) claim.Wanted {
	w := claim.Wanted{
		No: "C-1", OrderNo: "O-1", SellerID: uuid.MustParse("0190a000-0000-7000-8000-0000000000aa"), Type: kind, Reason: reason,
		Items: []claim.WantedItem{{ItemID: itemID, Quantity: 1}},
	}
	if kind == claim.Exchange {
		w.Items[0].ExchangeOptionName = "Blue / L"
	}
	return w
}

// held returns a delivered line of two pieces for 9,999, shipped for 3,000.
func held() claim.Held {
	delivered := now.Add(-24 * time.Hour)
	return claim.Held{ShippingPaid: 3000, SellerQuantity: 2, Lines: []claim.Line{{
		ItemID: itemID, ItemCode: "O-1-01", ProductName: "Shirt", OptionName: "Red / M", Quantity: 2, UnitPrice: 5000, Paid: 9999,
		DeliveredAt: &delivered,
	}}}
}

func opened(tb testing.TB, kind claim.Type) claim.Claim {
	tb.Helper()
	change, err := claim.Open(wanted(kind, claim.Defective), held(), claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
	require.NoError(tb, err)
	return change.Next
}

func in(tb testing.TB, kind claim.Type, status claim.Status) claim.Claim {
	tb.Helper()
	c := opened(tb, kind)
	c.Status = status
	return c
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "run go generate and review the difference")
}

// do performs an action, in both halves.
func do(tb testing.TB, c claim.Claim, action claim.Trigger, values claim.Values) claim.Claim {
	tb.Helper()
	d := claim.Decide(&c, claim.Command{Action: action, Values: values, Actor: seller}, now)
	require.Equal(tb, claim.Execute, d.Verdict, "%s in %s: %v", action, c.Status, d.Err)
	return confirmed(tb, d.Change.Next).Change.Next
}

func confirmed(tb testing.TB, c claim.Claim) claim.Decision {
	tb.Helper()
	require.NotNil(tb, c.Performed.Pending())
	d := c.Confirm(*c.Performed.Pending(), nil, around, now)
	require.Equal(tb, claim.Execute, d.Verdict, "%v", d.Err)
	require.Nil(tb, d.Change.Next.Performed.Pending())
	return d
}

var (
	hanjin = claim.Values{Carrier: "한진택배", TrackingNo: "412345678901"}
	lotte  = claim.Values{Carrier: "롯데택배", TrackingNo: "212345678901"}
	pass   = claim.Values{Result: claim.Pass}
	fail   = claim.Values{Result: claim.Fail, Memo: "scratched"}
	memo   = claim.Values{Memo: "no"}
)
