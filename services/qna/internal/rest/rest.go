// Package rest implements the public operations on product inquiries. A handler parses the request, calls the store and returns a
// view; errors come from the rules and are written by package web. An answer call and the record of its Idempotency-Key share one
// transaction, which package inbox begins and commits.
package rest

import (
	"context"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// Inquiries is the part of the store that the operations use.
type Inquiries interface {
	// List returns a page of the seller's inquiries, newest change first.
	List(ctx context.Context, seller uuid.UUID, filter inquiry.Filter, after *paging.Position,
		limit int) (paging.Page[inquiry.Inquiry], error)
	// Forward returns a page of the seller's inquiries that changed after a position, oldest change first.
	Forward(ctx context.Context, seller uuid.UUID, after paging.Position, limit int) (paging.ForwardPage[inquiry.Inquiry], error)
	// Answer answers an inquiry in the given transaction. QNA_NOT_FOUND: the seller has no such inquiry. QNA_ALREADY_ANSWERED: it
	// has another answer. QNA_ANSWER_UNRESOLVED: an operator canceled an answer between the decision and the write.
	Answer(ctx context.Context, tx inbox.Tx, command inquiry.AnswerCommand) (inquiry.AnswerResult, error)
}

// API implements the operations.
type API struct {
	Inquiries Inquiries
	// Cursors signs the cursors of the list.
	Cursors *paging.Signer
	// Box stores the first responses to process calls.
	Box *inbox.Box
}

// Handlers returns the handlers of the operations that the service owns.
func (a *API) Handlers() web.Handlers {
	return web.Handlers{
		operation.ListInquiries: a.list(),
		operation.AnswerInquiry: inbox.Handle(a.Box, readAnswer, a.answer),
	}
}
