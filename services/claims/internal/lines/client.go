package lines

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/telemetry"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/claims/internal/claim"
)

// Config is the address of the orders service and the timeout of its calls.
type Config struct {
	// URL is the base URL of its internal RPCs.
	URL string
	// Timeout limits one call.
	Timeout time.Duration
}

// Client calls the orders service. It is safe for concurrent use.
type Client struct {
	calls   ordersv1connect.ClaimLinesClient
	timeout time.Duration
	close   func()
}

// New returns a client that calls with the identity. It opens no connection yet.
func New(config Config, settings rpc.Config, identity rpc.Identity, tel *telemetry.Telemetry) (*Client, error) {
	client, err := rpc.NewClient(settings, identity, tel)
	if err != nil {
		return nil, err
	}
	return &Client{
		calls:   ordersv1connect.NewClaimLinesClient(client.HTTP, config.URL, client.Options),
		timeout: config.Timeout,
		close:   client.HTTP.CloseIdleConnections,
	}, nil
}

// Close closes idle connections.
func (c *Client) Close() { c.close() }

// Refusal returns the error with which the orders service refused a call; nil for every other outcome.
func Refusal(err error) *apierr.Error {
	if err == nil {
		return nil
	}
	// An error without a published code is about the call and not about the lines: an unknown procedure, a message too large.
	if row := apierr.From(err); row.Code.Status() >= 400 && row.Code.Status() < 500 && row.Code.WireCode() != "" {
		return row
	}
	return nil
}

// Reason returns the reason of a refusal, in one word if the orders service sent one.
func Reason(refusal *apierr.Error) string {
	if reason, ok := refusal.Data["reason"].(string); ok && reason != "" {
		return reason
	}
	return string(refusal.Code)
}

func nonsense(call string, err error) error {
	return apierr.BadUpstream.Because(fmt.Errorf("%s: %w", call, err))
}

var errOtherLines = errors.New("the response is for other lines")

func call[Request, Response any](
	ctx context.Context, c *Client, procedure func(context.Context, *Request) (*Response, error), message *Request,
) (*Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	return procedure(ctx, message)
}

// Release releases the lines of a claim that ends without effect.
func (c *Client) Release(ctx context.Context, no string) error {
	_, err := call(ctx, c, c.calls.Release, &ordersv1.ReleaseRequest{ClaimNo: no})
	return err
}

// CloseForReturn moves the lines of an exchange to the return that replaces it, sealed. The replacement lines are closed: the
// seller can neither prepare nor ship them until Convert cancels them.
func (c *Client) CloseForReturn(ctx context.Context, no, returnNo string) error {
	request := &ordersv1.ConvertRequest{ClaimNo: no, ReturnClaimNo: returnNo, Seal: true, CloseOnly: true}
	_, err := call(ctx, c, c.calls.Convert, request)
	return err
}

// Convert moves the lines of an exchange to the return that replaces it, sealed if it pays at once, and cancels the replacement
// lines.
func (c *Client) Convert(ctx context.Context, no, returnNo string, seal bool) error {
	_, err := call(ctx, c, c.calls.Convert, &ordersv1.ConvertRequest{ClaimNo: no, ReturnClaimNo: returnNo, Seal: seal})
	return err
}

// Seal ensures that Settle will succeed. It is refused with CLAIM_NOT_APPROVABLE when Settle would be.
func (c *Client) Seal(ctx context.Context, no string) error {
	_, err := call(ctx, c, c.calls.Seal, &ordersv1.SealRequest{ClaimNo: no})
	return err
}

// Canceled is the reason for refusing a reshipment that was canceled before.
const Canceled = "canceled"

// CancelReshipment ensures that a registered reshipment never ships. Refused with CLAIM_NOT_RESHIPPABLE when it has shipped.
func (c *Client) CancelReshipment(ctx context.Context, no, ref string) error {
	_, err := call(ctx, c, c.calls.CancelReshipment, &ordersv1.CancelReshipmentRequest{ClaimNo: no, Ref: ref})
	return err
}

// Freeze reports whether the claim is frozen since the given change. Of two calls the one with the later time wins.
func (c *Client) Freeze(ctx context.Context, no string, frozen bool, at time.Time) error {
	_, err := call(ctx, c, c.calls.Freeze, &ordersv1.FreezeRequest{ClaimNo: no, Frozen: frozen, At: timestamppb.New(at)})
	return err
}

// Touch updates the order's updated_at, once per named change.
func (c *Client) Touch(ctx context.Context, no, change string) error {
	_, err := call(ctx, c, c.calls.Touch, &ordersv1.TouchRequest{ClaimNo: no, Step: change})
	return err
}

// TouchHeld is Touch before a change that requires that the claim can complete. Refused with CLAIM_NOT_APPROVABLE when it does
// not hold its lines in a state from which it can.
func (c *Client) TouchHeld(ctx context.Context, no, change string) error {
	_, err := call(ctx, c, c.calls.Touch, &ordersv1.TouchRequest{ClaimNo: no, Step: change, WhileHeld: true})
	return err
}

// Settle completes a cancel or a return and returns the lines that now carry the claimed quantities. Refused with
// CLAIM_NOT_APPROVABLE when a line can no longer reach that state or is no longer held.
func (c *Client) Settle(ctx context.Context, no string) ([]claim.Settled, error) {
	answer, err := call(ctx, c, c.calls.Settle, &ordersv1.SettleRequest{ClaimNo: no})
	if err != nil {
		return nil, err
	}
	return toSettled("settle", answer.GetLines())
}

// AddExchangeLine creates the replacement lines of an exchange, open for preparation and shipping. Refused with
// CLAIM_NOT_INSPECTABLE when that is not possible.
func (c *Client) AddExchangeLine(ctx context.Context, exchange *claim.Claim) error {
	request := &ordersv1.AddExchangeLineRequest{ClaimNo: exchange.No}
	points := exchange.ReplacingPoints()
	for i, item := range exchange.Items {
		request.Lines = append(request.Lines, &ordersv1.ExchangeLine{
			ItemId: item.ItemID.String(), ExchangeOptionName: item.ExchangeOptionName, LinePaidAmount: item.Goods + item.Difference,
			PointsAmount: points[i], ListPrice: item.ExchangeListPrice, UnitPrice: item.ExchangeUnitPrice,
		})
	}
	_, err := call(ctx, c, c.calls.AddExchangeLine, request)
	return err
}

// ShipExchangeLine ships the replacement lines and completes the exchange in the orders service; ref identifies the registration.
// Refused with CLAIM_NOT_RESHIPPABLE when that is impossible, with EXCHANGE_ITEM_SHIP_FAILED when it is not possible now.
func (c *Client) ShipExchangeLine(ctx context.Context, no, ref string, shipment claim.Values) ([]claim.Settled, error) {
	answer, err := call(ctx, c, c.calls.ShipExchangeLine, &ordersv1.ShipExchangeLineRequest{
		ClaimNo: no, CarrierName: string(shipment.Carrier), TrackingNo: string(shipment.TrackingNo), Ref: ref,
	})
	if err != nil {
		return nil, err
	}
	return toSettled("ship exchange line", answer.GetLines())
}
