// Package rest implements the public operations on orders, one file for each: it parses the request strictly, calls the store
// or the rules, and returns the view; package web writes the response.
//
// Requests come from the gateway, which authenticates the caller and signs the principal. The seller is always that of the
// principal; a request cannot name another.
package rest

import (
	"context"
	"log/slog"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
)

// Orders is the part of the store that the operations use.
type Orders interface {
	// List returns a page of the seller's orders, newest change first.
	List(ctx context.Context, sellerID uuid.UUID, filter order.Filter, after *paging.Position,
		limit int) (paging.Page[order.Order], error)
	// Forward returns a page of the seller's orders that changed after a position, oldest change first.
	Forward(ctx context.Context, sellerID uuid.UUID, after paging.Position, limit int) (paging.ForwardPage[order.Order], error)
	// Find returns one of the seller's orders, or ORDER_NOT_FOUND.
	Find(ctx context.Context, sellerID uuid.UUID, orderNo string) (*order.Order, error)
	// History returns what happened to the seller's items of an order, or ORDER_NOT_FOUND.
	History(ctx context.Context, sellerID uuid.UUID, orderNo string) (*order.History, error)
	// Prepare, Ship and Deliver bring items of an order to a state, in the given transaction. Codes: ORDER_NOT_FOUND and those
	// of the rules.
	Prepare(ctx context.Context, tx inbox.Tx, call order.ProcessCommand) (order.ProcessResult, error)
	Ship(ctx context.Context, tx inbox.Tx, call order.ProcessCommand, parcel carrier.Shipment) (order.ProcessResult, error)
	Deliver(ctx context.Context, tx inbox.Tx, call order.ProcessCommand) (order.ProcessResult, error)
	// CorrectShipment puts items of an order into another parcel, as Ship does. MayCorrect reports whether the seller may.
	CorrectShipment(ctx context.Context, tx inbox.Tx, call order.ProcessCommand,
		parcel carrier.Shipment) (order.ProcessResult, error)
	MayCorrect(ctx context.Context, tx inbox.Tx, sellerID uuid.UUID) (bool, error)
	// ShipAlone is Ship in its own transaction.
	ShipAlone(ctx context.Context, call order.ProcessCommand, parcel carrier.Shipment) (order.ProcessResult, error)
	// ShipTogether ships several orders of a seller in one transaction; order.ErrApart for those that need ShipAlone.
	ShipTogether(ctx context.Context, seller uuid.UUID, shipments []order.ShipCommand) ([]order.ShipResult, error)
	// CheckShipments returns the results that the shipments would have now, one after the other, and changes nothing.
	CheckShipments(ctx context.Context, seller uuid.UUID, shipments []order.ShipCommand) ([]order.ShipResult, error)
}

// API implements the operations.
type API struct {
	Orders Orders
	// Cursors signs the cursors of the list.
	Cursors *paging.Signer
	// Box stores the first responses to process calls.
	Box *inbox.Box
	// Logger logs failures within successful responses.
	Logger *slog.Logger
	// BatchWorkers is how many groups of batch entries are processed concurrently, over all batches.
	BatchWorkers int

	// batchSlots limits these groups, so that connections remain for other calls.
	batchSlots *semaphore.Weighted
}

// Handlers returns the handlers of the operations that the service owns.
func (a *API) Handlers() web.Handlers {
	a.batchSlots = semaphore.NewWeighted(int64(max(1, a.BatchWorkers)))
	return web.Handlers{
		operation.ListOrders:      a.list(),
		operation.GetOrder:        a.detail(),
		operation.OrderHistory:    a.history(),
		operation.PrepareOrder:    inbox.Handle(a.Box, readItems, process(a.Orders.Prepare, newProcessedItemView)),
		operation.ShipOrder:       inbox.Handle(a.Box, readShipment, ship(a.Orders.Ship)),
		operation.ShipOrders:      inbox.HandleSteps(a.Box, readBatch, a.shipBatch),
		operation.CheckShipments:  a.checkBatch(),
		operation.CorrectShipment: inbox.Handle(a.Box, readCorrection, a.correct),
		operation.DeliverOrder:    inbox.Handle(a.Box, readItems, process(a.Orders.Deliver, newShippedItemView)),
	}
}
