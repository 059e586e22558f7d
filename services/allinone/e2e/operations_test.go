package e2e

import (
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sellerapi.dev/services/allinone/stack/stacktest"
)

// operation is one row of the specification's list of operations.
type operation struct {
	name, method, path, scope string
	// body is a request in order.
	body string
}

// operations are written out here once more, from the specification and not from the gateway's table, so
// that a mistake there is found.
var operations = []operation{
	{"list_orders", "GET", "/open/v1/orders", "orders:read", ""},
	{"get_order", "GET", "/open/v1/orders/{id}", "orders:read", ""},
	{"prepare_order", "POST", "/open/v1/orders/{id}/preparation", "orders:write", `{"item_ids":["{item}"]}`},
	{"ship_order", "POST", "/open/v1/orders/{id}/shipment", "orders:write", `{"item_ids":["{item}"],` + parcel + `}`},
	{"ship_orders", "POST", "/open/v1/orders/batch/shipment", "orders:write", `{"items":[{"order_no":"{id}","item_ids":["{item}"],` + parcel + `}]}`},
	{"deliver_order", "POST", "/open/v1/orders/{id}/delivery", "orders:write", `{"item_ids":["{item}"]}`},
	{"list_claims", "GET", "/open/v1/claims", "claims:read", ""},
	{"get_claim", "GET", "/open/v1/claims/{id}", "claims:read", ""},
	{"approve_claim", "POST", "/open/v1/claims/{id}/approve", "claims:write", ""},
	{"reject_claim", "POST", "/open/v1/claims/{id}/reject", "claims:write", `{"memo":"사용 흔적이 있습니다"}`},
	{"pickup_claim", "POST", "/open/v1/claims/{id}/pickup", "claims:write", `{` + parcel + `}`},
	{"collect_done_claim", "POST", "/open/v1/claims/{id}/collect-done", "claims:write", ""},
	{"inspect_claim", "POST", "/open/v1/claims/{id}/inspect", "claims:write", `{"result":"pass"}`},
	{"reship_claim", "POST", "/open/v1/claims/{id}/reship", "claims:write", `{` + parcel + `}`},
	{"list_inquiries", "GET", "/open/v1/qna", "qna:read", ""},
	{"answer_inquiry", "POST", "/open/v1/qna/{id}/answer", "qna:write", `{"content":"내일 출고됩니다"}`},
}

func (o operation) any() bool { return true }

// operationNamed is the operation with this name.
func operationNamed(name string) operation {
	return operations[slices.IndexFunc(operations, func(o operation) bool { return o.name == name })]
}

// processes tells operations that move something from those that read.
func (o operation) processes() bool { return o.method == http.MethodPost }

// hasBody tells operations that are told something in a body.
func (o operation) hasBody() bool { return o.body != "" }

// lists tells operations that answer with a page.
func (o operation) lists() bool {
	return o.method == http.MethodGet && !strings.Contains(o.path, "{id}")
}

const parcel = `"carrier_name":"CJ대한통운","tracking_no":"612345678901"`

// call asks for the operation on a record, and on a line of it.
func (o operation) call(key, id, item string) stacktest.Call {
	path := strings.ReplaceAll(o.path, "{id}", id)
	if o.method == http.MethodGet {
		return stacktest.Call{Method: o.method, Path: path, Key: key}
	}
	body := strings.NewReplacer("{id}", id, "{item}", item).Replace(o.body)
	call := stacktest.Post(key, path, body)
	if body == "" {
		call.Body = nil
	}
	return call
}

// walk asks for all operations on a record.
func walk(key, id string) []stacktest.Call {
	calls := make([]stacktest.Call, len(operations))
	for i, o := range operations {
		calls[i] = o.call(key, id, uuid.NewString())
	}
	return calls
}
