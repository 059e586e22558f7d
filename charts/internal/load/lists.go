package load

import (
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
)

// lists are the operations that are called: a page of each list of every service.
var lists = func() (all []operation.Operation) {
	for _, op := range operation.All() {
		if op.Charge == operation.ChargePage {
			all = append(all, op)
		}
	}
	return all
}()

// Paths returns the calls that take a short page of each list, which every service behind the gateway has.
func Paths() []string {
	paths := make([]string, len(lists))
	for n, op := range lists {
		paths[n] = op.Path + "?limit=5"
	}
	return paths
}

// scopes returns what the keys must carry for them, and for the process calls.
func scopes() []principal.Scope {
	all := make([]principal.Scope, 0, len(lists)+1)
	for _, op := range lists {
		all = append(all, op.Scope)
	}
	return append(all, "orders:write")
}
