package cli_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli"
	sellerapi "sellerapi.dev/proto/clients/go"
)

// Rows that contradict each other are not sent: with an item taken for another the wrong parcel is registered for good. A row
// that is not sent counts as well, its parcel is another one.
func TestShip_contradictions(t *testing.T) {
	t.Parallel()
	const several = "several numbers for one order: a column item_id has to say what is in which parcel"
	const ofItem = "several numbers for the item A1-01"
	for name, c := range map[string]struct {
		rows string
		want map[string]string
	}{
		"two numbers": {"A1,,412345678901,한진\nA1,,412345678902,한진\n", map[string]string{"2": several, "3": several}},
		"two carriers": {"A1,,412345678901,한진\nA1,,412345678901,로젠\n", map[string]string{
			"2": several,
			"3": "TRACKING_NO_SUSPICIOUS",
		}},
		"one not yet":       {"A1,,412345678901,한진\nA1,,,한진\n", map[string]string{"2": several, "3": "no tracking number"}},
		"one shortened":     {"A1,,412345678901,한진\nA1,,4.12E+11,한진\n", map[string]string{"2": several, "3": "has shortened"}},
		"one without order": {"A1,,412345678901,한진\n,,412345678902,한진\n", map[string]string{"2": several, "3": "no order number"}},
		"order as formula": {"A1,,412345678901,한진\n\"=\"\"A1\"\"\",,412345678902,한진\n", map[string]string{
			"2": several,
			"3": "is a formula",
		}},
		"same item": {"A1,A1-01,412345678901,한진\nA1,A1-01,412345678902,한진\n", map[string]string{"2": ofItem, "3": ofItem}},
		"whole and item": {
			"A1,,412345678902,한진\nA1,A1-01,412345678901,한진\n",
			map[string]string{"2": "row 2 names no item, and row 3 of the order does", "3": ""},
		},
		"item and whole": {
			"A1,A1-01,412345678901,한진\nA1,,412345678901,한진\n",
			map[string]string{"2": "", "3": "row 3 names no item, and row 2 of the order does"},
		},
		"one parcel":   {"A1,,412345678901,한진\nA1,,4123-4567-8901,(주)한진\n", map[string]string{"2": "", "3": ""}},
		"an item each": {"A1,A1-01,412345678901,한진\nA1,A1-02,412345678902,한진\n", map[string]string{"2": "", "3": ""}},
		"item mentioned": {
			"A1,A1-01,412345678901,한진\nx A1-01,412345678902,한진\n",
			map[string]string{"2": ofItem, "3": "is no tracking number"},
		},
		"order mentioned": {"A1,,412345678901,한진\nx,A1,,412345678902\n", map[string]string{"2": several, "3": "is no carrier"}},
		"item unknown":    {"A1,A1-09,412345678901,한진\n", map[string]string{"2": "the order has no item A1-09"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, w := newMarket(t)
			m.place("A1", sellerapi.ItemPaid, sellerapi.ItemPaid)
			file := inFile(t, "a.csv", "order_no,item_id,tracking_no,carrier\n"+c.rows)
			code := cli.ExitDone
			for _, why := range c.want {
				if why != "" {
					code = cli.ExitPartly
				}
			}
			for _, result := range []string{"ready", "shipped"} { // the dry run says what the sending says
				var rows map[string][]string
				if result == "ready" {
					w.runs(code, "ship", file, "--dry-run")
					require.Zero(t, m.calls["ship"])
					rows = resultsIn(t, file+".check.csv", "check")
				} else {
					w.runs(code, "ship", file)
					rows = outcomes(t, file)
				}
				for row, why := range c.want {
					got := rows[row]
					if why == "" {
						require.Equal(t, []string{result, ""}, got[5:])
						continue
					}
					require.Equal(t, "refused", got[5])
					require.Contains(t, got[6], why)
				}
			}
		})
	}
}

// A number that is that of the order, or that orders have under different carriers, is none of a parcel, or of one at most.
func TestShip_numberOfSomethingElse(t *testing.T) {
	t.Parallel()
	const carriers = "the number stands with several carriers"
	for name, c := range map[string]struct {
		rows string
		want map[string]string
	}{
		"of the order": {"4123-45678901,,412345678901,한진\n", map[string]string{"2": "is the number of the order"}},
		"of the item":  {"A1,412345678902,412345678902,한진\n", map[string]string{"2": "is the number of the item"}},
		"two carriers": {"A1,,41234567890,한진\nA2,,41234567890,로젠\n", map[string]string{"2": carriers, "3": carriers}},
		"one carrier":  {"A1,,412345678901,한진\nA2,,412345678901,한진\n", map[string]string{"2": "", "3": ""}},
		"one refused":  {"A1,,41234567890,한진\nA9,,41234567890,로젠\n", map[string]string{"2": carriers, "3": "no such order"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, w := newMarket(t)
			m.placeMany("A", 2)
			m.orders["A1"].Items[0].ItemCode = "412345678902"
			m.place("4123-45678901", sellerapi.ItemPaid)
			file := inFile(t, "a.csv", "order_no,item_id,tracking_no,carrier\n"+c.rows)
			code := cli.ExitPartly
			if name == "one carrier" {
				code = cli.ExitDone
			}
			w.runs(code, "ship", file, "--accept-warnings")
			for row, why := range c.want {
				require.Contains(t, outcomes(t, file)[row][6], why)
			}
			require.Len(t, m.parcels(), map[bool]int{true: 2}[code == cli.ExitDone])
		})
	}
}

// The items of an order are taken as their states allow: the replacement of an exchange goes out with reship of its claim, or the
// exchange does not end; a line that has ended keeps its number, and sent again would have the whole parcel refused; what is in
// another parcel stays there.
func TestShip_standingOfItems(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	const number = "412345678901"
	claim := "CLM-1"
	exchange := func(order string, states ...sellerapi.ItemStatus) *sellerapi.Order {
		placed := m.place(order, states...)
		placed.Items[1].IsExchange, placed.Items[1].ExchangeClaimNo = true, &claim
		return placed
	}
	parcelled(&exchange("X-1", sellerapi.ItemExchanged, sellerapi.ItemPaid, sellerapi.ItemPaid).Items[0], "한진택배", "412345678900")
	parcelled(&exchange("X-2", sellerapi.ItemExchanged, sellerapi.ItemPaid).Items[0], "한진택배", number)
	parcelled(&exchange("X-3", sellerapi.ItemExchanged, sellerapi.ItemShipping).Items[1], "한진택배", number)
	ended := m.place("E-1", sellerapi.ItemReturned, sellerapi.ItemDelivered)
	parcelled(&ended.Items[0], "한진택배", number)
	parcelled(&ended.Items[1], "한진택배", number)
	parcelled(&m.place("E-2", sellerapi.ItemReturned).Items[0], "한진택배", number)
	m.place("E-3", sellerapi.ItemCanceled)
	parcelled(&m.place("S-1", sellerapi.ItemShipping, sellerapi.ItemPaid).Items[0], "한진택배", "412345678900")
	parcelled(&m.place("S-2", sellerapi.ItemShipping).Items[0], "한진택배", "412345678900")
	parcelled(&m.place("S-3", sellerapi.ItemShipping).Items[0], "로젠택배", number)
	want := map[string]string{
		"X-1": "", "X-2": "the replacement of an exchange goes out with reship of the claim CLM-1",
		"X-1,X-1-02": "reship of the claim CLM-1", "X-3": "",
		"E-1": "", "E-2": "what went out with this number has ended: returned", "E-3": "nothing of the order can go out",
		"E-3,E-3-01": "the item has ended: canceled",
		"S-1":        "", "S-2": "SHIPMENT_STATE_CONFLICT: it went out with 한진택배 412345678900", "S-3": "SHIPMENT_STATE_CONFLICT",
		"none": "no such order",
	}
	for order, why := range want {
		row, _, named := strings.Cut(order, ",")
		if !named {
			order += ","
		}
		file := inFile(t, "a.csv", "order_no,item_id,tracking_no,carrier\n"+order+","+number+",한진\n")
		if why == "" {
			code := cli.ExitDone
			if row == "X-1" || row == "S-1" { // a part of which stays out
				code = cli.ExitPartly
			}
			require.Contains(t, w.runs(code, "ship", file), "shipped  1\n", row)
			continue
		}
		require.Contains(t, w.runs(cli.ExitPartly, "ship", file), why, row)
	}
	parcels := m.parcels()
	require.Equal(t, "한진택배 "+number, parcels["X-1-03"])
	require.NotContains(t, parcels, "X-1-02")
	require.Equal(t, "한진택배 "+number, parcels["S-1-02"])
	require.Equal(t, "한진택배 412345678900", parcels["S-1-01"])
}

// What of a row's order stays out is said, counted, and no success: the row reads as if the whole order were in the parcel.
func TestShip_itemsLeftOut(t *testing.T) {
	t.Parallel()
	claim := "CLM-1"
	for name, c := range map[string]struct {
		replacement, elsewhere bool
		row, why               string
	}{
		"replacement": {
			replacement: true, row: "A1,",
			why: "left out: A1-02, a replacement that reship of the claim CLM-1 ships",
		},
		"in another parcel": {elsewhere: true, row: "A1,", why: "left out: A1-03, which went out with 로젠택배 91234567890"},
		"both": {
			replacement: true, elsewhere: true, row: "A1,",
			why: "a replacement that reship of the claim CLM-1 ships; A1-03, which went",
		},
		"neither":            {row: "A1,"},
		"item, the rest not": {replacement: true, elsewhere: true, row: "A1,A1-01"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, w := newMarket(t)
			order := m.place("A1", sellerapi.ItemPaid, sellerapi.ItemPaid, sellerapi.ItemPaid)
			order.Items[1].IsExchange, order.Items[1].ExchangeClaimNo = c.replacement, &claim
			if c.elsewhere {
				order.Items[2].ItemStatus = sellerapi.ItemShipping
				parcelled(&order.Items[2], "로젠택배", "91234567890")
			}
			file := inFile(t, "a.csv", "order_no,item_id,tracking_no,carrier\n"+c.row+",412345678901,한진\n")
			for _, flags := range [][]string{{"--dry-run"}, nil, nil} { // sent again, it stays out
				args := append([]string{"ship", file}, flags...)
				if c.why == "" {
					require.NotContains(t, w.runs(cli.ExitDone, args...), "left out")
					continue
				}
				said := w.runs(cli.ExitPartly, args...)
				require.Contains(t, said, c.why)
				require.Contains(t, said, "partly   1  the rest of the order stays out\n")
			}
			require.Contains(t, outcomes(t, file)["2"][6], c.why)
			require.Equal(t, "shipped", outcomes(t, file)["2"][5])
		})
	}
}

// Parcels go out with a warning only if it is accepted. One that the server gives and the program did not foresee is no success.
func TestShip_warnings(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 2)
	file := inFile(t, "a.csv", "order_no,tracking_no,carrier\nA1,41234,한진\n")
	w.runs(cli.ExitPartly, "ship", file)
	require.Empty(t, m.parcels())
	require.Contains(t, w.runs(cli.ExitDone, "ship", file, "--dry-run", "--accept-warnings"),
		"row 2  A1  ready  warning accepted: TRACKING_NO_SUSPICIOUS")
	require.Contains(t, w.runs(cli.ExitDone, "ship", file, "--accept-warnings"),
		"row 2  A1  shipped  warning accepted: TRACKING_NO_SUSPICIOUS")
	require.Contains(t, w.runs(cli.ExitDone, "ship", file), "shipped  1\n", "what is done needs no warning")
	m.doubtful = []string{"412345678901"}
	file = inFile(t, "a.csv", "order_no,tracking_no,carrier\nA2,412345678901,한진\n")
	require.Contains(t, w.runs(cli.ExitPartly, "ship", file), "row 2  A2  shipped  warning: TRACKING_NO_SUSPICIOUS: a new rule")
}
