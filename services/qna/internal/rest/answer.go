package rest

import (
	"context"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// answer implements POST /open/v1/qna/{qna_id}/answer.
func (a *API) answer(ctx context.Context, tx inbox.Tx, command inquiry.AnswerCommand) (any, error) {
	answered, err := a.Inquiries.Answer(ctx, tx, command)
	if err != nil {
		return nil, err
	}
	return viewAnswered(answered), nil
}

// readAnswer reads path and body. A malformed id is "not found" even if the body is invalid: a client that mixed up its ids
// needs that error, not one about a missing field.
func readAnswer(c *gin.Context) (inquiry.AnswerCommand, error) {
	id, ok := pathID(c)
	if !ok {
		return inquiry.AnswerCommand{}, apierr.QnaNotFound
	}
	body := web.ReadBody(c)
	content := body.String("content", invalid.Text{Max: inquiry.MaxContent, NotBlank: true, Prose: true})
	if err := body.Err(); err != nil {
		return inquiry.AnswerCommand{}, err
	}
	caller := web.Caller(c)
	return inquiry.AnswerCommand{
		SellerID: caller.SellerID, KeyID: caller.KeyID, KeyPrefix: caller.KeyPrefix, RequestID: web.RequestID(c.Request.Context()),
		QnaID: id, Content: content,
	}, nil
}

func pathID(c *gin.Context) (uuid.UUID, bool) {
	value, ok := web.PathValue(c, "qna_id")
	if !ok {
		return uuid.Nil, false
	}
	return web.ParseUUID(value)
}
