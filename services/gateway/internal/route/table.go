// Package route is the one table of the public operations.
//
// What an operation is called, where it lives, which scope it needs, how it is counted, which service answers it, how
// large its body may be and how long it may take stand in one row here and nowhere else. The engine's routes, the
// README's table and the tests that walk the whole interface are derived from it; adding an operation is adding a row.
package route

//go:generate go test -run TestTheReadmesShowTheTable -update .

import (
	"slices"
	"time"

	"sellerapi.dev/pkg/principal"
)

// Base is the beginning of every public path.
const Base = "/open/v1"

// Class decides which of a key's call windows an operation is counted in.
type Class string

// The two classes.
const (
	Read    Class = "read"
	Process Class = "process"
)

// Upstream names the service that answers an operation.
type Upstream string

// The services behind the gateway.
const (
	Orders Upstream = "orders"
	Claims Upstream = "claims"
	QnA    Upstream = "qna"
)

// Upstreams returns every service behind the gateway.
func Upstreams() []Upstream { return []Upstream{Orders, Claims, QnA} }

// Sizes and times of operations.
const (
	// BodyBytes is the largest body of an ordinary process call.
	BodyBytes = 1 << 20
	// BatchBodyBytes is the largest body of a batch of 500 entries.
	BatchBodyBytes = 4 << 20

	readTimeout    = 10 * time.Second
	processTimeout = 15 * time.Second
	// batchTimeout stays within the life of a signed principal, and leaves the server's own write time-out a margin.
	batchTimeout = 30 * time.Second
)

// Operation is one row.
type Operation struct {
	// Name identifies the operation in logs, metrics and tests.
	Name string
	// Method is GET or POST.
	Method string
	// Path is the pattern under which the engine serves it; a segment that begins with a colon is a parameter.
	Path string
	// Scope is what a key must carry.
	Scope principal.Scope
	// Class is the call window that the call is counted in.
	Class Class
	// Upstream is the service that answers.
	Upstream Upstream
	// List tells a list of rows from the detail of one.
	List bool
	// BodyIgnored tells an operation without a body: what a client sends in one is no part of the request's content.
	BodyIgnored bool
	// MaxBodyBytes is the largest request body; 0 where no body is read.
	MaxBodyBytes int64
	// Timeout is how long the service may take from the first byte sent to the last byte answered.
	Timeout time.Duration
}

var table = slices.Concat(orderRows(), claimRows(), inquiryRows())

func orderRows() []Operation {
	const order = Base + "/orders/:order_no"
	batch := process("ship_orders", Base+"/orders/batch/shipment", principal.OrdersWrite, Orders)
	batch.MaxBodyBytes, batch.Timeout = BatchBodyBytes, batchTimeout
	return []Operation{
		list(read("list_orders", Base+"/orders", principal.OrdersRead, Orders)),
		read("get_order", order, principal.OrdersRead, Orders),
		process("prepare_order", order+"/preparation", principal.OrdersWrite, Orders),
		process("ship_order", order+"/shipment", principal.OrdersWrite, Orders),
		batch,
		process("deliver_order", order+"/delivery", principal.OrdersWrite, Orders),
	}
}

func claimRows() []Operation {
	const claim = Base + "/claims/:claim_no"
	return []Operation{
		list(read("list_claims", Base+"/claims", principal.ClaimsRead, Claims)),
		read("get_claim", claim, principal.ClaimsRead, Claims),
		bodiless(process("approve_claim", claim+"/approve", principal.ClaimsWrite, Claims)),
		process("reject_claim", claim+"/reject", principal.ClaimsWrite, Claims),
		process("pickup_claim", claim+"/pickup", principal.ClaimsWrite, Claims),
		bodiless(process("collect_done_claim", claim+"/collect-done", principal.ClaimsWrite, Claims)),
		process("inspect_claim", claim+"/inspect", principal.ClaimsWrite, Claims),
		process("reship_claim", claim+"/reship", principal.ClaimsWrite, Claims),
	}
}

func inquiryRows() []Operation {
	return []Operation{
		list(read("list_inquiries", Base+"/qna", principal.QnARead, QnA)),
		process("answer_inquiry", Base+"/qna/:qna_id/answer", principal.QnAWrite, QnA),
	}
}

// read is a row that changes nothing.
func read(name, path string, scope principal.Scope, upstream Upstream) Operation {
	return Operation{
		Name: name, Method: "GET", Path: path, Scope: scope, Class: Read, Upstream: upstream, Timeout: readTimeout,
	}
}

// list makes a read one of many rows.
func list(operation Operation) Operation {
	operation.List = true
	return operation
}

// bodiless makes a process call one without a body.
func bodiless(operation Operation) Operation {
	operation.BodyIgnored = true
	return operation
}

// process is a row that moves something to a state.
func process(name, path string, scope principal.Scope, upstream Upstream) Operation {
	return Operation{
		Name: name, Method: "POST", Path: path, Scope: scope, Class: Process, Upstream: upstream,
		MaxBodyBytes: BodyBytes, Timeout: processTimeout,
	}
}

// All returns a copy of the table in the order of the specification.
func All() []Operation { return slices.Clone(table) }

// LongestTimeout is the most that any operation may take.
func LongestTimeout() time.Duration {
	return slices.MaxFunc(table, func(a, b Operation) int { return int(a.Timeout - b.Timeout) }).Timeout
}
