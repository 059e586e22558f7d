package crash

import (
	"fmt"
	"slices"
)

// action is an operation on a claim, the calls that it makes, and the state that everything is in afterwards.
type action struct {
	name string
	// claimed is the request that creates the claim, a key of requests; before are the moves that are made first, and move is
	// the action itself, keys of moves.
	claimed string
	before  []string
	move    string
	// calls are all calls that the action makes. TestCallTable_complete compares them with those that it actually makes.
	calls []string
	end   end
}

// end is the state of claim, order and money after an action.
type end struct {
	status string
	// successor is the state of the return that replaced the claim.
	successor string
	lines     []line
	// gate is how far the exchange of the replacement line has come, as the orders service records it.
	gate string
	// refunds are the amounts that the customer was refunded, by claim and kind.
	refunds map[refundOf]int64
}

// refundOf identifies a refund of a trial: of the claim or of the return that replaced it.
type refundOf struct {
	successor bool
	kind      string
}

type line struct {
	status         string
	quantity, paid int64
	exchange, held bool
}

// requests are the claims that customers make: the state of the line, and the members of the request. All claim two of three
// pieces at 5,000. The cheap exchange refunds 1,000 a piece when the goods pass the inspection; the dear one costs 1,000 a
// piece more, which is paid beforehand.
var requests = map[string][2]string{
	"cancel":         {"paid", `"type":"cancel","reasonCode":"out_of_stock","items":[{"itemId":"ITEM","quantity":2}]`},
	"return":         {"delivered", `"type":"return","reasonCode":"defective","items":[{"itemId":"ITEM","quantity":2}]`},
	"cheap exchange": {"delivered", fmt.Sprintf(exchange, 4000)},
	"dear exchange":  {"delivered", fmt.Sprintf(exchange, 6000)},
}

const exchange = `"type":"exchange","reasonCode":"defective",
	"items":[{"itemId":"ITEM","quantity":2,"exchangeOptionName":"L","exchangeUnitPrice":%d}]`

// moves are the operations on a claim, by its seller or by the marketplace: a path and a body.
var moves = map[string][2]string{
	"request": {intake + "RequestClaim", `{"claimNo":"CLAIM","sellerId":"SELLER","orderNo":"ORDER",REQUEST}`},
	"pay":     {intake + "RecordShortfallPayment", `{"claimNo":"CLAIM","paymentId":"P-CLAIM","amount":2000}`},
	"convert": {intake + "ConvertToReturn", `{"claimNo":"CLAIM","returnClaimNo":"SUCCESSOR","operator":"kim"}`},
	"freeze":  {intake + "FreezeClaim", `{"claimNo":"CLAIM","operator":"kim","reason":"dispute"}`},
	"thaw":    {intake + "UnfreezeClaim", `{"claimNo":"CLAIM","operator":"kim"}`},

	"approve":      {seller + "approve", ""},
	"pickup":       {seller + "pickup", `{"carrier_name":"한진택배","tracking_no":"412345678901"}`},
	"collect-done": {seller + "collect-done", ""},
	"pass":         {seller + "inspect", `{"result":"pass"}`},
	"fail":         {seller + "inspect", `{"result":"fail","memo":"worn"}`},
	"reject":       {seller + "reject", `{"memo":"no"}`},
	"reship":       {seller + "reship", `{"carrier_name":"롯데택배","tracking_no":"412345678902"}`},
}

// The prefixes of the paths of moves.
const (
	intake = "/claims.v1.Intake/"
	seller = "/open/v1/claims/CLAIM/"
)

var (
	collected = []string{"request", "approve", "pickup", "collect-done"}
	inspected = []string{"request", "approve", "pickup", "collect-done", "pass"}
	main      = refundOf{kind: "refund"}
)

// actions are all actions that take more than one step. Where several of them only change the order, one stands for all. Their
// names are short, because they are a part of the names of tests.
var actions = []action{
	{
		name: "request", claimed: "return", move: "request",
		calls: []string{clientCall, "Open"},
		end:   end{status: "requested", lines: []line{{status: "delivered", quantity: 3, paid: 15000, held: true}}},
	}, {
		name: "approve", claimed: "cancel", before: []string{"request"}, move: "approve",
		calls: []string{clientCall, "Seal", refundCall, "Settle"},
		end: end{status: "completed", refunds: map[refundOf]int64{main: 10000}, lines: []line{
			{status: "paid", quantity: 1, paid: 5000}, {status: "canceled", quantity: 2, paid: 10000},
		}},
	}, { // a pickup and its arrival are the same
		name: "approve return", claimed: "return", before: []string{"request"}, move: "approve",
		calls: []string{clientCall, "Touch"},
		end:   end{status: "approved", lines: []line{{status: "delivered", quantity: 3, paid: 15000, held: true}}},
	}, {
		name: "pass return", claimed: "return", before: collected, move: "pass",
		calls: []string{clientCall, "Seal", refundCall, "Settle"},
		end: end{status: "completed", refunds: map[refundOf]int64{main: 10000}, lines: []line{
			{status: "delivered", quantity: 1, paid: 5000}, {status: "returned", quantity: 2, paid: 10000},
		}},
	}, {
		name: "fail return", claimed: "return", before: collected, move: "fail",
		calls: []string{clientCall, "Release"},
		end:   end{status: "rejected", lines: []line{{status: "delivered", quantity: 3, paid: 15000}}},
	}, { // the shortfall was paid and is returned
		name: "reject paid", claimed: "dear exchange", before: []string{"request", "pay"}, move: "reject",
		calls: []string{clientCall, "Release", refundCall},
		end: end{
			status: "rejected", lines: []line{{status: "delivered", quantity: 3, paid: 15000}},
			refunds: map[refundOf]int64{{kind: "shortfall_return"}: 2000},
		},
	}, {
		name: "pass exchange", claimed: "cheap exchange", before: collected, move: "pass",
		calls: []string{clientCall, "AddExchangeLine", refundCall},
		end: end{status: "reshipping", gate: "open", refunds: map[refundOf]int64{main: 2000}, lines: []line{
			{status: "delivered", quantity: 3, paid: 15000, held: true}, {status: "paid", quantity: 2, paid: 8000, exchange: true},
		}},
	}, {
		name: "reship", claimed: "cheap exchange", before: inspected, move: "reship",
		calls: []string{clientCall, "ShipExchangeLine"},
		end: end{status: "completed", refunds: map[refundOf]int64{main: 2000}, lines: []line{
			{status: "delivered", quantity: 1, paid: 5000},
			{status: "shipping", quantity: 2, paid: 8000, exchange: true},
			{status: "exchanged", quantity: 2, paid: 10000},
		}, gate: "ended"},
	}, {
		name: "freeze", claimed: "cheap exchange", before: inspected, move: "freeze",
		calls: []string{clientCall, "Freeze", "Touch"},
		end: end{status: "reshipping", gate: "frozen", refunds: map[refundOf]int64{main: 2000}, lines: []line{
			{status: "delivered", quantity: 3, paid: 15000, held: true}, {status: "paid", quantity: 2, paid: 8000, exchange: true},
		}},
	}, {
		name: "thaw", claimed: "cheap exchange", before: append(slices.Clone(inspected), "freeze"), move: "thaw",
		calls: []string{clientCall, "Freeze", "Touch"},
		end: end{status: "reshipping", gate: "open", refunds: map[refundOf]int64{main: 2000}, lines: []line{
			{status: "delivered", quantity: 3, paid: 15000, held: true}, {status: "paid", quantity: 2, paid: 8000, exchange: true},
		}},
	}, { // before the goods came
		name: "convert early", claimed: "cheap exchange", before: []string{"request", "approve"}, move: "convert",
		calls: []string{clientCall, "Convert"},
		end: end{
			status: "converted_to_return", successor: "approved",
			lines: []line{{status: "delivered", quantity: 3, paid: 15000, held: true}},
		},
	}, { // after the inspection
		name: "convert late", claimed: "cheap exchange", before: inspected, move: "convert",
		calls: []string{clientCall, "Convert", refundCall, "Settle"},
		end: end{
			status: "converted_to_return", successor: "completed", gate: "ended",
			refunds: map[refundOf]int64{main: 2000, {successor: true, kind: "refund"}: 8000},
			lines: []line{
				{status: "delivered", quantity: 1, paid: 5000},
				{status: "canceled", quantity: 2, paid: 8000, exchange: true},
				{status: "returned", quantity: 2, paid: 10000},
			},
		},
	},
}
