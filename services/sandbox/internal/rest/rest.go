// Package rest implements the operations of the sandbox: each reads a body in which everything is optional, makes the calls of
// the intakes with the seller of the key, and answers with one sentence about what happened and the records that it changed.
//
// # Whose records
//
// The intakes trust their callers and take numbers of any seller. The sandbox does not: a record that the path names is read as
// its seller first, and is not found if it is another's; an unpaid order, which nobody can read, is paid under the condition
// that it is this seller's; an order is placed for this seller, a claim requested for it, an inquiry posted to it. Members
// belong to all sellers, so those of the sandbox carry the seller in their ids, and no other member is ever forgotten.
package rest

import (
	"context"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/web"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
)

// API has the services that the operations call: their intakes, and what reads a record back.
type API struct {
	Orders       ordersv1connect.IntakeClient
	OrderRecords ordersv1connect.ChangesClient
	Claims       claimsv1connect.IntakeClient
	ClaimRecords claimsv1connect.ChangesClient
	Inquiries    qnav1connect.IntakeClient
	QnARecords   qnav1connect.ChangesClient
}

// scene is what an operation is about: the seller of the key and the record that the path names, which is the seller's.
type scene struct {
	seller                  uuid.UUID
	orderNo, claimNo, qnaID string
	order                   *ordersv1.ChangedOrder
	claim                   *claimsv1.ChangedClaim
}

// happened is what an operation did: a sentence, and the records to show. Every number is of a record that it is about; one of an
// unpaid order is of none that can be shown.
type happened struct {
	said                      apierr.Phrase
	orders, claims, inquiries []string
	orderNo, claimNo, qnaID   string
	shortfall                 int64
}

type act func(a *API, ctx context.Context, at scene, body *web.Body) (happened, error)

// acts has a row for every operation of the table.
var acts = map[string]act{
	operation.SandboxPlaceOrder:       (*API).placeOrder,
	operation.SandboxEndPayment:       (*API).endPayment,
	operation.SandboxConfirm:          (*API).confirm,
	operation.SandboxCorrect:          (*API).correct,
	operation.SandboxShipBy:           (*API).setShipBy,
	operation.SandboxForgetMember:     (*API).forgetMember,
	operation.SandboxRequestClaim:     (*API).requestClaim,
	operation.SandboxPayShortfall:     (*API).payShortfall,
	operation.SandboxWithdrawClaim:    (*API).withdraw,
	operation.SandboxConvertClaim:     (*API).convert,
	operation.SandboxHoldInspection:   (*API).holdInspection,
	operation.SandboxFreezeClaim:      (*API).freeze,
	operation.SandboxUnfreezeClaim:    (*API).unfreeze,
	operation.SandboxAct:              (*API).actAsOperator,
	operation.SandboxRecordRefund:     (*API).recordRefund,
	operation.SandboxRetryRefund:      (*API).retryRefund,
	operation.SandboxCancelReshipment: (*API).cancelReshipment,
	operation.SandboxAsk:              (*API).ask,
	operation.SandboxCancelAnswer:     (*API).cancelAnswer,
}

// Handlers returns the handlers of all operations.
func (a *API) Handlers() web.Handlers {
	handlers := web.Handlers{}
	for name, do := range acts {
		op := operation.Named(name)
		handlers[name] = web.Handle(func(c *gin.Context) (any, error) { return a.play(c, op, do) })
	}
	return handlers
}

func (a *API) play(c *gin.Context, op operation.Operation, do act) (any, error) {
	ctx := c.Request.Context()
	at, err := a.find(ctx, c, op)
	if err != nil {
		return nil, err
	}
	body := web.ReadBody(c)
	if err := body.Err(); err != nil {
		return nil, err
	}
	done, err := do(a, ctx, at, body)
	if err != nil {
		return nil, err
	}
	return a.show(ctx, at.seller, done, web.Language(c))
}

// find reads the record that the path names, as its seller. An unpaid order, which cannot be read, is left to endPayment.
func (a *API) find(ctx context.Context, c *gin.Context, op operation.Operation) (scene, error) {
	at := scene{seller: web.Caller(c).SellerID}
	for parameter, missing := range map[string]apierr.Code{
		"order_no": apierr.OrderNotFound, "claim_no": apierr.ClaimNotFound, "qna_id": apierr.QnaNotFound,
	} {
		if !strings.Contains(op.Path, ":"+parameter) {
			continue
		}
		number, ok := web.PathValue(c, parameter)
		if _, isID := web.ParseUUID(number); !ok || parameter == "qna_id" && !isID {
			return scene{}, missing
		}
		err := a.read(ctx, &at, op.Name, parameter, number)
		return at, err
	}
	return at, nil
}

func (a *API) read(ctx context.Context, at *scene, name, parameter, number string) (err error) {
	switch parameter {
	case "order_no":
		at.orderNo = number
		if name != operation.SandboxEndPayment {
			at.order, err = a.order(ctx, at.seller, number)
		}
	case "claim_no":
		at.claimNo = number
		at.claim, err = a.claim(ctx, at.seller, number)
	default:
		at.qnaID = number
		_, err = a.inquiry(ctx, at.seller, number)
	}
	return err
}
