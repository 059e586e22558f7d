package rest

import (
	"context"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/claims/internal/claim"
)

type actionCall struct {
	seller  uuid.UUID
	no      string
	command claim.Command
}

// readers read the parameters of actions. Problems of the body are reported before the claim is looked up.
var readers = map[claim.Takes]func(*gin.Context) (claim.Values, error){
	claim.TakesNothing:    readNothing,
	claim.TakesMemo:       readMemo,
	claim.TakesShipment:   readShipment,
	claim.TakesInspection: readInspect,
}

// operationOf returns the name of the operation that performs an action: collect_done_claim for collect-done.
func operationOf(action claim.Trigger) string {
	return strings.ReplaceAll(string(action), "-", "_") + "_claim"
}

// reading reads path and body of an action. An invalid claim number is not found, whatever the body.
func reading(action claim.Trigger) func(*gin.Context) (actionCall, error) {
	takes, _ := action.Takes()
	values := readers[takes]
	return func(c *gin.Context) (actionCall, error) {
		no, ok := web.PathValue(c, claimNo)
		if !ok {
			return actionCall{}, apierr.ClaimNotFound
		}
		read, err := values(c)
		if err != nil {
			return actionCall{}, err
		}
		if err := read.Check(action); err != nil {
			return actionCall{}, err
		}
		caller := web.Caller(c)
		return actionCall{seller: caller.SellerID, no: no, command: claim.Command{
			Action: action, Values: read, Actor: claim.Actor{
				Kind: claim.ByAPI, Name: caller.KeyID, KeyPrefix: caller.KeyPrefix, RequestID: web.RequestID(c.Request.Context()),
			},
		}}, nil
	}
}

func performing(saga Saga) func(context.Context, actionCall) (any, error) {
	return func(ctx context.Context, call actionCall) (any, error) {
		performed, alreadyDone, err := saga.Perform(ctx, call.seller, call.no, call.command)
		if err != nil {
			return nil, err
		}
		return performedView{Claim: &performed, alreadyDone: alreadyDone}, nil
	}
}

func readNothing(c *gin.Context) (claim.Values, error) {
	return claim.Values{}, web.ParseQuery(c).Err()
}

// readMemo reads a memo of one character or more, which may be blank.
func readMemo(c *gin.Context) (claim.Values, error) {
	body := web.ReadBody(c)
	memo := body.String("memo", invalid.RejectionMemo)
	return claim.Values{Memo: memo}, body.Err()
}

// readInspect reads a result and a memo. A failed inspection requires a memo: if it is absent or null, the body is malformed; a
// blank one counts as missing, which [claim.Values.Check] refuses.
func readInspect(c *gin.Context) (claim.Values, error) {
	body := web.ReadBody(c)
	values := claim.Values{Result: claim.Result(body.Enum("result", invalid.Names([]claim.Result{claim.Pass, claim.Fail})))}
	var memo string
	if values.Result == claim.Fail {
		memo = body.String("memo", invalid.Memo.Optional())
	} else if sent := body.OptionalString("memo", invalid.Memo.Optional()); sent != nil {
		memo = *sent
	}
	if !invalid.IsBlank(memo) {
		values.Memo = memo
	}
	return values, body.Err()
}

func readShipment(c *gin.Context) (claim.Values, error) {
	body := web.ReadBody(c)
	name := body.String("carrier_name", invalid.Text{Max: carrier.MaxNameChars})
	number := body.String("tracking_no", invalid.Text{Max: carrier.MaxTrackingNoChars})
	if err := body.Err(); err != nil {
		return claim.Values{}, err
	}
	shipment, err := carrier.ParseShipment(name, number, nil)
	return claim.Values{Carrier: shipment.Carrier, TrackingNo: shipment.TrackingNo}, err
}
