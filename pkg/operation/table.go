// Package operation is the one table of the public operations, and beside it that of the sandbox.
//
// The name of an operation, its path, scope, charge, body limit, time-out and owning service are defined in one row here and
// nowhere else. The gateway routes by the table, each service registers its handlers through it (see web.RegisterOperations),
// and TABLE.md, the check of the contract and the tests of the whole API are derived from it. A new operation needs a row, a
// handler in the service that owns it, and an entry in the contract.
package operation

//go:generate go test -run TestDocument -update .

import (
	"cmp"
	"slices"
	"time"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/trust"
)

// Base is the prefix of every public path.
const Base = "/open/v1"

// The names of the operations: the operationId of the contract and the label of metrics and logs.
const (
	ListOrders       = "list_orders"
	GetOrder         = "get_order"
	OrderHistory     = "get_order_history"
	PrepareOrder     = "prepare_order"
	ShipOrder        = "ship_order"
	ShipOrders       = "ship_orders"
	CheckShipments   = "check_shipments"
	CorrectShipment  = "correct_shipment"
	DeliverOrder     = "deliver_order"
	ListClaims       = "list_claims"
	GetClaim         = "get_claim"
	ClaimHistory     = "get_claim_history"
	ApproveClaim     = "approve_claim"
	RejectClaim      = "reject_claim"
	PickupClaim      = "pickup_claim"
	CollectDoneClaim = "collect_done_claim"
	InspectClaim     = "inspect_claim"
	ReshipClaim      = "reship_claim"
	ListInquiries    = "list_inquiries"
	AnswerInquiry    = "answer_inquiry"
	ListRequests     = "list_requests"
)

// Class is the call window of a key in which an operation is counted.
type Class string

// The two classes.
const (
	Read    Class = "read"
	Process Class = "process"
)

// Charge is the cost of a read in a key's row budget (section Limits).
type Charge string

// The charges.
const (
	// ChargeNone is the charge of process calls.
	ChargeNone Charge = "none"
	// ChargeOne is one row, whatever the response.
	ChargeOne Charge = "one row"
	// ChargePage is the number of list elements that are returned.
	ChargePage Charge = "its rows"
)

// Service names a service behind the gateway.
type Service string

// The services behind the gateway, as parties, and the gateway, which answers some operations itself.
const (
	Orders  = Service(trust.Orders)
	Claims  = Service(trust.Claims)
	QnA     = Service(trust.QnA)
	Gateway = Service(trust.Gateway)
	// Sandbox is behind the gateway of a test environment only; its operations are in a table of their own.
	Sandbox = Service(trust.Sandbox)
)

// Services returns every service behind the gateway, in whatever environment.
func Services() []Service {
	parties := trust.Services()
	services := make([]Service, len(parties))
	for i, party := range parties {
		services[i] = Service(party)
	}
	return services
}

const (
	// BodyBytes is the largest body of an ordinary process call.
	BodyBytes = 1 << 20
	// BodyTokens is the largest number of JSON tokens of a body: names, values, and the beginnings and ends of arrays and objects.
	// Parsing costs more for each token than for each byte. The largest batch, 500 entries with 200 items each, has half as many.
	BodyTokens     = 200_000
	batchBodyBytes = 4 << 20
	batchEntries   = 500

	readTimeout    = 10 * time.Second
	processTimeout = 15 * time.Second
	// batchTimeout is shorter than the server's write timeout by a margin.
	batchTimeout = 30 * time.Second
)

// Operation is one row of the table.
type Operation struct {
	// Name identifies the operation in the contract, logs, metrics and tests.
	Name string
	// Method is GET or POST.
	Method string
	// Path is the pattern with which engines serve it; a segment that begins with a colon is a parameter.
	Path string
	// Scope is the scope that a key needs; empty if any key may call the operation.
	Scope principal.Scope
	// Class is the call window in which the call is counted.
	Class Class
	// Charge is the cost of the call in the row budget.
	Charge Charge
	// Service owns the operation.
	Service Service
	// BodyIgnored marks an operation without a body: a body that a client sends does not count as part of the request.
	BodyIgnored bool
	// Unkeyed marks a process call that changes nothing: it needs no Idempotency-Key, ignores one, and its answer is not stored.
	Unkeyed bool
	// MaxBodyBytes is the largest request body; 0 if no body is read.
	MaxBodyBytes int64
	// MaxEntries is the largest number of entries of a batch; 0 if the operation is not a batch.
	MaxEntries int
	// Timeout is how long the service may take from the first byte of the request to the last byte of the response.
	Timeout time.Duration
}

// OpenTo reports whether a key of a principal may call the operation.
func (o Operation) OpenTo(p principal.Principal) bool { return o.Scope == "" || p.Has(o.Scope) }

var table = slices.Concat(orderRows(), claimRows(), inquiryRows(), requestRows())

func orderRows() []Operation {
	const orders, order = Base + "/orders", Base + "/orders/:order_no"
	batch := process(ShipOrders, orders+"/batch/shipment", Orders)
	batch.MaxBodyBytes, batch.MaxEntries, batch.Timeout = batchBodyBytes, batchEntries, batchTimeout
	check := batch
	check.Name, check.Path, check.Unkeyed = CheckShipments, batch.Path+"/check", true
	return []Operation{
		read(ListOrders, orders, ChargePage, Orders),
		read(GetOrder, order, ChargeOne, Orders),
		read(OrderHistory, order+"/history", ChargeOne, Orders),
		process(PrepareOrder, order+"/preparation", Orders),
		process(ShipOrder, order+"/shipment", Orders),
		batch,
		check,
		process(CorrectShipment, order+"/shipment/correction", Orders),
		process(DeliverOrder, order+"/delivery", Orders),
	}
}

func claimRows() []Operation {
	const claims, claim = Base + "/claims", Base + "/claims/:claim_no"
	return []Operation{
		read(ListClaims, claims, ChargePage, Claims),
		read(GetClaim, claim, ChargeOne, Claims),
		read(ClaimHistory, claim+"/history", ChargeOne, Claims),
		bodiless(process(ApproveClaim, claim+"/approve", Claims)),
		process(RejectClaim, claim+"/reject", Claims),
		process(PickupClaim, claim+"/pickup", Claims),
		bodiless(process(CollectDoneClaim, claim+"/collect-done", Claims)),
		process(InspectClaim, claim+"/inspect", Claims),
		process(ReshipClaim, claim+"/reship", Claims),
	}
}

func inquiryRows() []Operation {
	return []Operation{
		read(ListInquiries, Base+"/qna", ChargePage, QnA),
		process(AnswerInquiry, Base+"/qna/:qna_id/answer", QnA),
	}
}

func requestRows() []Operation {
	list := read(ListRequests, Base+"/requests", ChargePage, Gateway)
	list.Scope = ""
	return []Operation{list}
}

func read(name, path string, charge Charge, service Service) Operation {
	return Operation{
		Name: name, Method: "GET", Path: path, Scope: principal.Read(trust.Party(service)), Class: Read, Charge: charge,
		Service: service, Timeout: readTimeout,
	}
}

func process(name, path string, service Service) Operation {
	return Operation{
		Name: name, Method: "POST", Path: path, Scope: principal.Write(trust.Party(service)), Class: Process,
		Charge: ChargeNone, Service: service,
		MaxBodyBytes: BodyBytes, Timeout: processTimeout,
	}
}

func bodiless(op Operation) Operation {
	op.BodyIgnored = true
	return op
}

// All returns a copy of the table in the order of the specification.
func All() []Operation { return slices.Clone(table) }

// Of returns the operations that a service owns.
func Of(service Service) []Operation {
	if service == Sandbox {
		return slices.Clone(sandbox)
	}
	return slices.DeleteFunc(All(), func(op Operation) bool { return op.Service != service })
}

// Named returns the row of an operation. It panics when there is none of that name, which is a programming error.
func Named(name string) Operation {
	for _, rows := range [][]Operation{table, sandbox} {
		if i := slices.IndexFunc(rows, func(op Operation) bool { return op.Name == name }); i >= 0 {
			return rows[i]
		}
	}
	panic("operation: no row is named " + name)
}

// LargestBody returns the largest body limit of all operations, in bytes.
func LargestBody() int64 {
	return slices.MaxFunc(table, func(a, b Operation) int { return cmp.Compare(a.MaxBodyBytes, b.MaxBodyBytes) }).MaxBodyBytes
}

// MaxTimeout returns the longest timeout of all operations.
func MaxTimeout() time.Duration {
	return slices.MaxFunc(table, func(a, b Operation) int { return int(a.Timeout - b.Timeout) }).Timeout
}
