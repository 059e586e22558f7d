// Package rest answers the public paths of claims. A handler reads the request, asks the store or the saga and returns a
// view; what can go wrong is decided by the rules and written by package web.
//
// An action can take several transactions and calls of the orders service. Its Idempotency-Key is therefore taken at the beginning
// and decided at the end: a crash in the middle stores no answer, and the same call again finds what was done by its evidence.
package rest

import (
	"context"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// Paths under which claims are served.
const (
	listPath  = "/open/v1/claims"
	claimPath = listPath + "/:" + claimNo
	claimNo   = "claim_no"
)

// Saga performs actions across the services.
type Saga interface {
	// Perform carries an action of a seller out, as far as it goes now, and returns the claim as it stands then. An action
	// that was performed before changes nothing and is no error.
	//
	// CLAIM_NOT_FOUND: the seller has no such claim. IDEMPOTENCY_UNRESOLVED, CLAIM_NOT_…: the rules refuse it, see
	// claim.Decide. EXCHANGE_ITEM_SHIP_FAILED: a reshipment is registered and the new line is not shipped yet.
	Perform(ctx context.Context, seller uuid.UUID, no string, command claim.Command) (claim.Claim, error)
}

// Reads answers the reading operations.
type Reads struct {
	claims  *store.Store
	cursors *paging.Signer
}

// NewReads returns the reading operations on a store.
func NewReads(claims *store.Store, cursors *paging.Signer) *Reads {
	return &Reads{claims: claims, cursors: cursors}
}

// Register adds the operations to routes on which every request has a principal.
func (r *Reads) Register(routes gin.IRoutes) {
	routes.GET(listPath, web.Handle(r.list))
	routes.GET(claimPath, web.Handle(r.detail))
}

// RegisterActions adds the six actions to routes on which every request has a principal.
func RegisterActions(routes gin.IRoutes, saga Saga, box *inbox.Box) {
	for action, read := range readers {
		routes.POST(claimPath+"/"+string(action), inbox.HandleSteps(box, reading(action, read), performing(saga)))
	}
}
