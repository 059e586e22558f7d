// Package rest answers the public paths of product inquiries. A handler reads the request, asks the store and returns a
// view; what can go wrong is decided by the rules and written by package web. An answer call and the record of its
// Idempotency-Key share one transaction, which package inbox begins and commits.
package rest

import (
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/qna/internal/store"
)

// Handlers answer for one store.
type Handlers struct {
	inquiries *store.Store
	cursors   *paging.Signer
	box       *inbox.Box
}

// New returns the handlers.
func New(inquiries *store.Store, cursors *paging.Signer, box *inbox.Box) *Handlers {
	return &Handlers{inquiries: inquiries, cursors: cursors, box: box}
}

// Register adds the operations to routes on which every request has a principal.
func (h *Handlers) Register(routes gin.IRoutes) {
	routes.GET("/open/v1/qna", web.Handle(h.list))
	routes.POST("/open/v1/qna/:qna_id/answer", inbox.Handle(h.box, readAnswer, answer))
}
