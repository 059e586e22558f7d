// Package qna is the service that owns product inquiries and their answers. README.md describes the layout.
package qna

import (
	"context"

	"sellerapi.dev/pkg/changes"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/qna/internal/intake"
	"sellerapi.dev/services/qna/internal/rest"
	"sellerapi.dev/services/qna/internal/store"
)

// Config is the configuration of the service.
type Config struct {
	service.BackendConfig `embed:""`
}

// Run serves until ctx is done. It returns an error if the service could not start or had to stop.
func Run(ctx context.Context, config Config) error {
	return service.RunBackend(ctx, operation.QnA, &config, func(b *service.Backend) error {
		inquiries := store.New(b.Pool)
		api := rest.API{Inquiries: inquiries, Cursors: b.Cursors, Box: b.Box}
		b.Operations(api.Handlers())
		b.RPC(qnav1connect.NewIntakeHandler(intake.New(inquiries), b.RPCOptions()))
		b.RPC(qnav1connect.NewChangesHandler(&intake.Changes{
			Inquiries: inquiries, List: api.Changes(), Sellers: changes.Sellers{Cursors: b.Cursors, Changed: inquiries.Changed},
		}, b.RPCOptions()))
		b.RPC(qnav1connect.NewClocksHandler(intake.Clocks(inquiries.Clocks), b.RPCOptions()))
		if clock := b.SellerClock(); clock != nil {
			b.RPC(qnav1connect.NewClockHandler(intake.Clock{Clock: clock}, b.RPCOptions()))
		}
		return nil
	})
}
