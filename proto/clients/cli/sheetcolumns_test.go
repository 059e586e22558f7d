package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli"
	sellerapi "sellerapi.dev/proto/clients/go"
)

// Columns are known with the remarks that programs add to their names. A column whose name is not known but whose cells name the
// carrier or an item is not passed over: the row would go out with another carrier, or as the whole order.
func TestShip_namesOfColumns(t *testing.T) {
	t.Parallel()
	whole := map[string]string{"A1-01": "한진택배 412345678901", "A1-02": "한진택배 412345678901"}
	part := map[string]string{"A1-01": "한진택배 412345678901"}
	for name, c := range map[string]struct {
		text string
		// want is what is sent, or why nothing is.
		want map[string]string
		why  string
	}{
		"carrier's name":   {"주문번호,송장번호,택배사명\nA1,412345678901,한진\n", whole, ""},
		"remarks":          {"주문번호(필수),*송장번호*,[택배사]\nA1,412345678901,한진\n", whole, ""},
		"item's remark":    {"주문번호,상품주문번호(선택),송장번호,택배사\nA1,A1-01,412345678901,한진\n", part, ""},
		"item_code":        {"order_no,item_code,tracking_no,carrier\nA1,A1-01,412345678901,한진\n", part, ""},
		"public id":        {"order_no,order_item_public_id,tracking_no,carrier\nA1,A1-01,412345678901,한진\n", part, ""},
		"unknown, nothing": {"주문번호,송장번호,택배사,브랜드,수량\nA1,412345678901,한진,롯데,4\n", whole, ""},
		"unknown, code":    {"주문번호,송장번호,수량\nA1,412345678901,5\n", nil, ""},
		"unknown, carrier": {
			"주문번호,송장번호,배송\nA1,412345678901,한진\n", nil,
			`row 2, column C (배송): "한진" is a carrier, and the column is not read: name it carrier (택배사)`,
		},
		"unknown, item": {
			"주문번호,송장번호,택배사,번호\nA1,412345678901,한진,A1-01\n", nil,
			`row 2, column D (번호): "A1-01" is an item, and the column is not read: name it item_id (상품주문번호)`,
		},
		"unnamed column": {"주문번호,송장번호,택배사,\nA1,412345678901,한진,A1-01\n", nil, `row 2, column D (): "A1-01" is an item`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, w := newMarket(t)
			m.place("A1", sellerapi.ItemPaid, sellerapi.ItemPaid)
			file := inFile(t, "a.csv", c.text)
			switch {
			case c.why != "":
				require.Contains(t, w.runs(cli.ExitPartly, "ship", file, "--carrier", "로젠", "--accept-warnings"), c.why)
			case c.want == nil:
				w.runs(cli.ExitDone, "ship", file, "--carrier", "한진")
				c.want = whole
			default:
				w.runs(cli.ExitDone, "ship", file, "--carrier", "로젠")
			}
			require.Len(t, m.parcels(), len(c.want))
			for code, parcel := range c.want {
				require.Equal(t, parcel, m.parcels()[code])
			}
		})
	}
}
