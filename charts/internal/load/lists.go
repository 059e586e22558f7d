package load

import (
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
)

var lists = func() (all []operation.Operation) {
	for _, op := range operation.All() {
		if op.Charge == operation.ChargePage && op.Service != operation.Gateway {
			all = append(all, op)
		}
	}
	return all
}()

// Paths returns the paths that read a short page of each list. Every service behind the gateway has a list.
func Paths() []string {
	paths := make([]string, len(lists))
	for n, op := range lists {
		paths[n] = op.Path + "?limit=5"
	}
	return paths
}

func scopes() []principal.Scope {
	all := make([]principal.Scope, 0, len(lists)+1)
	for _, op := range lists {
		all = append(all, op.Scope)
	}
	return append(all, "orders:write")
}
