package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli"
	sellerapi "sellerapi.dev/proto/clients/go"
)

// A row that is refused may be a second parcel of an order that another row names: how its order is written must not hide that,
// or the whole order goes out in the first parcel. An order that is certainly another costs nothing.
func TestShip_disguisedOrder(t *testing.T) {
	t.Parallel()
	const order, several = "20261127001", "several numbers for one order"
	for name, c := range map[string]struct {
		row, why string // of the row after that of the order
	}{
		"zero width":          {row: "20261127\u200b001", why: several},
		"soft hyphen":         {row: "20261127\u00ad001", why: several},
		"curly quotes":        {row: "“20261127001”", why: several},
		"dot":                 {row: "20261127001.", why: several},
		"blank and dot":       {row: "20261127001\u00a0.", why: several},
		"hyphens":             {row: "20261127\u2010001", why: several},
		"full width":          {row: "２０２６１１２７００１", why: several},
		"ditto":               {row: "〃", why: several},
		"same":                {row: "상동", why: several},
		"dash":                {row: "-", why: several},
		"arrow":               {row: "↑", why: several},
		"error":               {row: "#REF!", why: several},
		"decimal":             {row: "20261127001.0", why: several},
		"thousands":           {row: "\"20,261,127,001\"", why: several},
		"shortened":           {row: "2.0261127E+10", why: several},
		"leading zero":        {row: "020261127001", why: several},
		"word before":         {row: "주문 20261127001", why: several},
		"second parcel":       {row: "20261127001-2", why: several},
		"shortened otherwise": {row: "B1,,412345678903,한진\n2.0261127E+10", why: several},
		"blank after ditto":   {row: "-,,412345678901,한진\n", why: several},
		"item disguised":      {row: order + ",20261127001-01.,412345678902,한진\n" + order + ",20261127001-02", why: "names no item"},
		"another order":       {row: "20261127002"},
		"another shortened":   {row: "B1,,412345678903,한진\n2.0261128E+10"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, w := newMarket(t)
			m.place(order, sellerapi.ItemPaid, sellerapi.ItemPaid)
			m.place("B1", sellerapi.ItemPaid)
			row := c.row
			if name != "item disguised" {
				row += ","
			}
			file := inFile(t, "a.csv", "order_no,item_id,tracking_no,carrier\n"+order+",,412345678901,한진\n"+row+",412345678902,한진\n")
			w.runs(cli.ExitPartly, "ship", file)
			if got := outcomes(t, file)["2"]; c.why != "" {
				require.Equal(t, "refused", got[5])
				require.Contains(t, got[6], c.why)
				require.NotContains(t, m.parcels(), order+"-01")
			} else {
				require.Equal(t, "shipped", got[5], got[6])
			}
		})
	}
}

// An item whose code is disguised in a second row is in two parcels too.
func TestShip_disguisedItem(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.place("A1", sellerapi.ItemPaid, sellerapi.ItemPaid)
	file := inFile(t, "a.csv",
		"order_no,item_id,tracking_no,carrier\nA1,A1-01,412345678901,한진\nA1,a1\u201001,412345678902,한진\nA1,A1-02,412345678903,한진\n")
	require.Contains(t, w.runs(cli.ExitPartly, "ship", file), "several numbers for the item A1-01")
	require.Equal(t, map[string]string{"A1-02": "한진택배 412345678903"}, m.parcels())
}
