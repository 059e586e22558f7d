// Package actor names who makes a change, for the history of what is changed.
//
// The context of a call has its actor: package web sets it to the seller whose key was verified, the ports of other callers set
// theirs, and the background work of a service has none, which is the system.
package actor

import (
	"cmp"
	"context"
)

// By is the kind of an actor: changed_by of the public interface.
type By string

// The kinds of actors.
const (
	Seller   By = "seller"
	Customer By = "customer"
	Operator By = "operator"
	// System is the marketplace itself, and the background work of a service.
	System By = "system"
	// Claim is a claim in progress, which changes lines of its order.
	Claim By = "claim"
)

// Actor is who makes a change, and with which request.
type Actor struct {
	By By
	// KeyID and KeyPrefix are those of the key of a seller; empty for others.
	KeyID, KeyPrefix string
	// RequestID is that of the public request, or of the marketplace's call; empty for the background work of a service.
	RequestID string
}

type contextKey struct{}

// NewContext returns a context of a call that a makes.
func NewContext(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, contextKey{}, a)
}

// As is NewContext for an actor of a kind alone, with the request of the actor before.
func As(ctx context.Context, by By) context.Context {
	return NewContext(ctx, Actor{By: by, RequestID: Of(ctx).RequestID})
}

// Of returns the actor of a context, the system if it has none.
func Of(ctx context.Context) Actor {
	a, _ := ctx.Value(contextKey{}).(Actor)
	a.By = cmp.Or(a.By, System)
	return a
}

// Columns returns the arguments of changed_by, key_id, key_prefix and request_id, which are null where there is none.
func (a Actor) Columns() []any {
	return []any{string(a.By), optional(a.KeyID), optional(a.KeyPrefix), optional(a.RequestID)}
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
