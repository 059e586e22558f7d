package principal

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/trust"
)

// Scope is a permission that a key carries.
type Scope string

// Read returns the scope of a service's operations that change nothing.
func Read(service trust.Party) Scope { return Scope(service) + ":read" }

// Write returns the scope of a service's operations that change something.
func Write(service trust.Party) Scope { return Scope(service) + ":write" }

// Sandbox is the scope of the operations of the sandbox, which keys of a test environment alone carry.
const Sandbox Scope = "sandbox"

// scopes lists every scope. The index is the bit of the scope in the signed header. Of the eight bits one is left.
var scopes = append(published(), Sandbox)

func published() (all []Scope) {
	for _, service := range trust.Services() {
		all = append(all, Read(service), Write(service))
	}
	return all
}

// All returns every scope of the public API in the order of the specification, which is without that of the sandbox.
func All() []Scope { return published() }

// Known reports whether the text is a scope, in whatever environment.
func (s Scope) Known() bool { return slices.Contains(scopes, s) }

// Principal is the caller of a public operation.
type Principal struct {
	// SellerID is the seller whose data, and no other's, may be read and changed.
	SellerID uuid.UUID
	// KeyID identifies the API key that was used; it is not secret.
	KeyID string
	// KeyPrefix is the first 12 characters of the key, for logs.
	KeyPrefix string
	// Scopes are the permissions of the key, in the order of All.
	Scopes []Scope
}

// Has reports whether the principal carries the scope.
func (p Principal) Has(scope Scope) bool { return slices.Contains(p.Scopes, scope) }

type contextKey struct{}

// NewContext returns a context that carries p.
func NewContext(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// FromContext returns the principal of the context and whether there is one.
func FromContext(ctx context.Context) (Principal, bool) {
	p, ok := ctx.Value(contextKey{}).(Principal)
	return p, ok
}

// MustFromContext returns the principal of the context. It panics when there is none: a handler that runs without
// authentication in front of it is a programming error and must not respond.
func MustFromContext(ctx context.Context) Principal {
	p, ok := FromContext(ctx)
	if !ok {
		panic("principal: the context carries none; the handler is not behind authentication")
	}
	return p
}
