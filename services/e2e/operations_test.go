package e2e

import (
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	table "sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/e2e/stacktest"
)

type operation struct {
	name, method, path, scope string
	// body has {id} and {item} in place of a record's id and that of a line of it; it is empty if the operation
	// has none.
	body string
}

// bodies are the valid requests, by operation, where they differ from the example of the contract.
var bodies = map[string]string{
	table.PrepareOrder:    `{"item_ids":["{item}"]}`,
	table.ShipOrder:       `{"item_ids":["{item}"],` + parcel + `}`,
	table.ShipOrders:      `{"items":[{"order_no":"{id}","item_ids":["{item}"],` + parcel + `}]}`,
	table.CheckShipments:  `{"items":[{"order_no":"{id}","item_ids":["{item}"],` + parcel + `}]}`,
	table.CorrectShipment: `{"item_ids":["{item}"],` + parcel + `}`,
	table.DeliverOrder:    `{"item_ids":["{item}"]}`,
	table.PickupClaim:     `{` + parcel + `}`,
	table.InspectClaim:    `{"result":"pass"}`,
	table.ReshipClaim:     `{` + parcel + `}`,
}

var operations = func() []operation {
	all := table.All()
	list := make([]operation, len(all))
	for i, op := range all {
		body, known := bodies[op.Name]
		if !known {
			body = string(described()[op.Name].Example)
		}
		path := strings.NewReplacer(":order_no", "{id}", ":claim_no", "{id}", ":qna_id", "{id}").Replace(op.Path)
		list[i] = operation{name: op.Name, method: op.Method, path: path, scope: string(op.Scope), body: body}
	}
	return list
}()

func (o operation) any() bool { return true }

func operationNamed(name string) operation {
	return operations[slices.IndexFunc(operations, func(o operation) bool { return o.name == name })]
}

func (o operation) processes() bool { return o.method == http.MethodPost }

// keyed reports whether the operation needs an idempotency key.
func (o operation) keyed() bool { return o.processes() && !table.Named(o.name).Unkeyed }

func (o operation) hasBody() bool { return o.body != "" }

func (o operation) lists() bool {
	return o.method == http.MethodGet && !strings.Contains(o.path, "{id}")
}

const parcel = `"carrier_name":"CJ대한통운","tracking_no":"612345678901"`

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

// forwarded reports whether a service behind the gateway answers the operation.
func (o operation) forwarded() bool { return table.Named(o.name).Service != table.Gateway }

// callsOf returns a call of each operation that is concerned.
func callsOf(concerned func(operation) bool, key, id string) []stacktest.Call {
	calls := make([]stacktest.Call, 0, len(operations))
	for _, o := range operations {
		if concerned(o) {
			calls = append(calls, o.call(key, id, uuid.NewString()))
		}
	}
	return calls
}
