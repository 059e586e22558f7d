// Package rest answers the public paths of product inquiries. A handler reads the request, asks the store and returns a
// view; what can go wrong is decided by the rules and written by package web. An answer call and the record of its
// Idempotency-Key share one transaction, which package inbox begins and commits.
package rest

import (
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/qna/internal/store"
)

// API holds what the operations share.
type API struct {
	// Inquiries is what the operations are answered from.
	Inquiries *store.Store
	// Cursors signs the cursors of the list.
	Cursors *paging.Signer
	// Box keeps the first answers to process calls.
	Box *inbox.Box
}

// Handlers returns the handlers of the operations that the service owns.
func (a *API) Handlers() web.Handlers {
	return web.Handlers{
		operation.ListInquiries: a.list(),
		operation.AnswerInquiry: inbox.Handle(a.Box, readAnswer, answer),
	}
}
