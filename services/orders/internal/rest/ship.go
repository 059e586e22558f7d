package rest

import (
	"context"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
)

type shipCall struct {
	order.ProcessCommand
	parcel carrier.Shipment
	lang   apierr.Lang
}

// readShipment reads a shipment call: it checks its structure first, then the texts of the parcel.
func readShipment(c *gin.Context) (shipCall, error) {
	body := web.ReadBody(c)
	call := shipCall{ProcessCommand: readProcess(c, body), lang: web.Language(c)}
	sent := readParcel(body.Object)
	if err := body.Err(); err != nil {
		return shipCall{}, err
	}
	var err error
	call.parcel, err = sent.parse()
	return call, err
}

type sentParcel struct {
	carrierName, trackingNo string
	logistics               *string
}

func readParcel(object *web.Object) sentParcel {
	return sentParcel{
		carrierName: object.String("carrier_name", invalid.Text{Max: carrier.MaxNameChars}),
		trackingNo:  object.String("tracking_no", invalid.Text{Max: carrier.MaxTrackingNoChars}),
		logistics:   object.OptionalString("logistics_company", invalid.Text{Max: carrier.MaxLogisticsChars}),
	}
}

func (s sentParcel) parse() (carrier.Shipment, error) {
	return carrier.ParseShipment(s.carrierName, s.trackingNo, s.logistics)
}

// ship returns the handler of a call that puts items into a parcel, by its change of the order.
func ship(
	change func(context.Context, inbox.Tx, order.ProcessCommand, carrier.Shipment) (order.ProcessResult, error),
) func(context.Context, inbox.Tx, shipCall) (any, error) {
	return func(ctx context.Context, tx inbox.Tx, call shipCall) (any, error) {
		done, err := change(ctx, tx, call.ProcessCommand, call.parcel)
		if err != nil {
			return nil, err
		}
		view := newProcessedView(done, newShippedItemView)
		view.Warnings = appendWarning(nil, "tracking_no", call.parcel, call.lang)
		return view, nil
	}
}
