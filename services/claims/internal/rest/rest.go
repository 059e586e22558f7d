// Package rest serves the public paths of claims. A handler reads the request, calls the store or the saga and returns a view;
// the rules decide on errors and package web writes them.
//
// An action can take several transactions and calls of the orders service. Its Idempotency-Key is therefore registered at the
// start and resolved at the end: a crash in between stores no answer, and a repeated call finds the evidence of what was done.
package rest

import (
	"context"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/claims/internal/claim"
)

const claimNo = "claim_no"

// Saga performs actions across the services.
type Saga interface {
	// Perform performs an action of a seller as far as possible now, and returns the claim in its new state. An action that was
	// performed before changes nothing and is not an error: alreadyDone is true then.
	//
	// CLAIM_NOT_FOUND: the seller has no such claim. IDEMPOTENCY_UNRESOLVED, CLAIM_NOT_…: the rules refuse it, see
	// claim.Decide. EXCHANGE_ITEM_SHIP_FAILED: a reshipment is registered and the new line is not shipped yet.
	Perform(ctx context.Context, seller uuid.UUID, no string, command claim.Command) (performed claim.Claim,
		alreadyDone bool, err error)
}

// Claims is the part of the store that the reads use.
type Claims interface {
	// List returns a page of the seller's claims, newest change first.
	List(ctx context.Context, seller uuid.UUID, filter claim.Filter, after *paging.Position,
		limit int) (paging.Page[claim.Listed], error)
	// Forward returns a page of the seller's claims after a position, oldest change first.
	Forward(ctx context.Context, seller uuid.UUID, after paging.Position, limit int) (paging.ForwardPage[claim.Listed], error)
	// Get returns one claim of the seller, or CLAIM_NOT_FOUND.
	Get(ctx context.Context, seller uuid.UUID, no string) (claim.Claim, error)
	// History returns what happened to one claim of the seller, or CLAIM_NOT_FOUND.
	History(ctx context.Context, seller uuid.UUID, no string) (claim.History, error)
}

// API holds the dependencies of the operations.
type API struct {
	Claims Claims
	// Cursors signs the cursors of the list.
	Cursors *paging.Signer
	// Saga performs actions.
	Saga Saga
	// Box keeps the first answers to process calls.
	Box *inbox.Box
}

// Handlers returns the handlers of the operations that the service owns.
func (a *API) Handlers() web.Handlers {
	handlers := web.Handlers{operation.ListClaims: a.list(), operation.GetClaim: a.detail(), operation.ClaimHistory: a.history()}
	for _, action := range claim.Actions() {
		handlers[operationOf(action)] = inbox.HandleSteps(a.Box, reading(action), performing(a.Saga))
	}
	return handlers
}
