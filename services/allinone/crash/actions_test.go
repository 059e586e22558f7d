package crash

import "fmt"

// action is what someone does to a claim, the calls that it takes, and what has become of everything in the end.
type action struct {
	name string
	// claimed is the request that the claim begins with, see requests; moves are what is done to it before, see moves.
	claimed string
	before  []string
	move    string
	// calls are all that the action makes, see the test that compares them with what it really makes.
	calls []string
	end   end
}

// end is how an action leaves claim, order and money.
type end struct {
	status string
	// successor is the state of the return that took the claim's place.
	successor string
	lines     []line
	// gate is how far the exchange has come of the item that stands in, as orders knows it.
	gate string
	// refunds are what the customer got, by claim and kind.
	refunds map[refundOf]int64
}

// refundOf names a refund of a trial: of the claim or of the return that took its place.
type refundOf struct {
	successor bool
	kind      string
}

// line is what a seller sees of an item.
type line struct {
	status         string
	quantity, paid int64
	exchange, held bool
}

// requests are the claims that customers make: the state of the item, and what the request says. All are about two of three
// pieces at 5,000. The cheap exchange gives 1,000 a piece back when the goods are inspected; the dear one costs 1,000 a piece
// more, which is paid before.
var requests = map[string][2]string{
	"cancel":         {"paid", `"type":"cancel","reasonCode":"out_of_stock","items":[{"itemId":"ITEM","quantity":2}]`},
	"return":         {"delivered", `"type":"return","reasonCode":"defective","items":[{"itemId":"ITEM","quantity":2}]`},
	"cheap exchange": {"delivered", fmt.Sprintf(exchange, 4000)},
	"dear exchange":  {"delivered", fmt.Sprintf(exchange, 6000)},
}

const exchange = `"type":"exchange","reasonCode":"defective",
	"items":[{"itemId":"ITEM","quantity":2,"exchangeOptionName":"L","exchangeUnitPrice":%d}]`

// moves are what is done to a claim, by its seller or by the marketplace: a path and a body.
var moves = map[string][2]string{
	"request": {intake + "RequestClaim", `{"claimNo":"CLAIM","sellerId":"SELLER","orderNo":"ORDER",REQUEST}`},
	"pay":     {intake + "RecordShortfallPayment", `{"claimNo":"CLAIM","paymentId":"P-CLAIM","amount":2000}`},
	"convert": {intake + "ConvertToReturn", `{"claimNo":"CLAIM","returnClaimNo":"SUCCESSOR","operator":"kim"}`},

	"approve":      {seller + "approve", ""},
	"pickup":       {seller + "pickup", `{"carrier_name":"한진택배","tracking_no":"412345678901"}`},
	"collect-done": {seller + "collect-done", ""},
	"pass":         {seller + "inspect", `{"result":"pass"}`},
	"fail":         {seller + "inspect", `{"result":"fail","memo":"worn"}`},
	"reject":       {seller + "reject", `{"memo":"no"}`},
	"reship":       {seller + "reship", `{"carrier_name":"롯데택배","tracking_no":"412345678902"}`},
}

// What the paths of moves begin with.
const (
	intake = "/claims.v1.Intake/"
	seller = "/open/v1/claims/CLAIM/"
)

var (
	collected = []string{"request", "approve", "pickup", "collect-done"}
	inspected = []string{"request", "approve", "pickup", "collect-done", "pass"}
	main      = refundOf{kind: "refund"}
)

// actions are all that take more than one step. Those between them that only move the order are like the first.
var actions = []action{
	{
		name: "request a return", claimed: "return", move: "request",
		calls: []string{clientCall, "Open", "Touch"},
		end:   end{status: "requested", lines: []line{{status: "delivered", quantity: 3, paid: 15000, held: true}}},
	}, {
		name: "approve a cancel", claimed: "cancel", before: []string{"request"}, move: "approve",
		calls: []string{clientCall, "Check", "Seal", refundCall, "Settle", "Touch"},
		end: end{status: "completed", refunds: map[refundOf]int64{main: 10000}, lines: []line{
			{status: "paid", quantity: 1, paid: 5000}, {status: "canceled", quantity: 2, paid: 10000},
		}},
	}, {
		name: "pass a return", claimed: "return", before: collected, move: "pass",
		calls: []string{clientCall, "Check", "Seal", refundCall, "Settle", "Touch"},
		end: end{status: "completed", refunds: map[refundOf]int64{main: 10000}, lines: []line{
			{status: "delivered", quantity: 1, paid: 5000}, {status: "returned", quantity: 2, paid: 10000},
		}},
	}, {
		name: "fail a return", claimed: "return", before: collected, move: "fail",
		calls: []string{clientCall, "Release", "Touch"},
		end:   end{status: "rejected", lines: []line{{status: "delivered", quantity: 3, paid: 15000}}},
	}, {
		name: "reject an exchange that was paid for", claimed: "dear exchange", before: []string{"request", "pay"}, move: "reject",
		calls: []string{clientCall, "Release", refundCall, "Touch"},
		end: end{
			status: "rejected", lines: []line{{status: "delivered", quantity: 3, paid: 15000}},
			refunds: map[refundOf]int64{{kind: "shortfall_return"}: 2000},
		},
	}, {
		name: "pass an exchange", claimed: "cheap exchange", before: collected, move: "pass",
		calls: []string{clientCall, "Check", "AddExchangeLine", refundCall, "Touch"},
		end: end{status: "reshipping", gate: "open", refunds: map[refundOf]int64{main: 2000}, lines: []line{
			{status: "delivered", quantity: 3, paid: 15000, held: true}, {status: "paid", quantity: 2, paid: 8000, exchange: true},
		}},
	}, {
		name: "reship an exchange", claimed: "cheap exchange", before: inspected, move: "reship",
		calls: []string{clientCall, "Check", "ShipExchangeLine", "Touch"},
		end: end{status: "completed", refunds: map[refundOf]int64{main: 2000}, lines: []line{
			{status: "delivered", quantity: 1, paid: 5000}, {status: "shipping", quantity: 2, paid: 8000, exchange: true},
			{status: "exchanged", quantity: 2, paid: 10000},
		}, gate: "ended"},
	}, {
		name: "convert an exchange before the goods came", claimed: "cheap exchange", before: []string{"request", "approve"}, move: "convert",
		calls: []string{clientCall, "Check", "Convert", "Touch"},
		end: end{
			status: "converted_to_return", successor: "approved",
			lines: []line{{status: "delivered", quantity: 3, paid: 15000, held: true}},
		},
	}, {
		name: "convert an exchange that was inspected", claimed: "cheap exchange", before: inspected, move: "convert",
		calls: []string{clientCall, "Check", "Convert", refundCall, "Settle", "Touch"},
		end: end{
			status: "converted_to_return", successor: "completed", gate: "ended",
			refunds: map[refundOf]int64{main: 2000, {successor: true, kind: "refund"}: 8000},
			lines: []line{
				{status: "delivered", quantity: 1, paid: 5000}, {status: "canceled", quantity: 2, paid: 8000, exchange: true},
				{status: "returned", quantity: 2, paid: 10000},
			},
		},
	},
}
