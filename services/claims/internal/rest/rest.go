// Package rest answers the public paths of claims. A handler reads the request, asks the store or the saga and returns a
// view; what can go wrong is decided by the rules and written by package web.
//
// An action can take several transactions and calls of the orders service. Its Idempotency-Key is therefore taken at the beginning
// and decided at the end: a crash in the middle stores no answer, and the same call again finds what was done by its evidence.
package rest

import (
	"context"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// claimNo is the parameter of the path that names a claim.
const claimNo = "claim_no"

// Saga performs actions across the services.
type Saga interface {
	// Perform carries an action of a seller out, as far as it goes now, and returns the claim as it stands then. An action
	// that was performed before changes nothing and is no error: alreadyDone is true then.
	//
	// CLAIM_NOT_FOUND: the seller has no such claim. IDEMPOTENCY_UNRESOLVED, CLAIM_NOT_…: the rules refuse it, see
	// claim.Decide. EXCHANGE_ITEM_SHIP_FAILED: a reshipment is registered and the new line is not shipped yet.
	Perform(ctx context.Context, seller uuid.UUID, no string, command claim.Command) (performed claim.Claim, alreadyDone bool, err error)
}

// API holds what the operations share.
type API struct {
	// Claims is what reads are answered from.
	Claims *store.Store
	// Cursors signs the cursors of the list.
	Cursors *paging.Signer
	// Saga performs actions.
	Saga Saga
	// Box keeps the first answers to process calls.
	Box *inbox.Box
}

// Handlers returns the handlers of the operations that the service owns.
func (a *API) Handlers() web.Handlers {
	handlers := web.Handlers{operation.ListClaims: a.list(), operation.GetClaim: a.detail()}
	for _, action := range claim.Actions() {
		handlers[operationOf(action)] = inbox.HandleSteps(a.Box, reading(action), performing(a.Saga))
	}
	return handlers
}
