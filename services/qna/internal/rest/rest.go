// Package rest implements the public operations on product inquiries. A handler parses the request, calls the store and returns a
// view; errors come from the rules and are written by package web. An answer call and the record of its Idempotency-Key share one
// transaction, which package inbox begins and commits.
package rest

import (
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/qna/internal/store"
)

// API implements the operations.
type API struct {
	// Inquiries is the store of the operations.
	Inquiries *store.Store
	// Cursors signs the cursors of the list.
	Cursors *paging.Signer
	// Box stores the first responses to process calls.
	Box *inbox.Box
}

// Handlers returns the handlers of the operations that the service owns.
func (a *API) Handlers() web.Handlers {
	return web.Handlers{
		operation.ListInquiries: a.list(),
		operation.AnswerInquiry: inbox.Handle(a.Box, readAnswer, answer),
	}
}
