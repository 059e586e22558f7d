package gateway

import (
	"connectrpc.com/connect"
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/keysrpc"
	"sellerapi.dev/services/gateway/internal/requestlog"
	"sellerapi.dev/services/gateway/internal/requestsrpc"
	"sellerapi.dev/services/gateway/internal/rest"
	"sellerapi.dev/services/gateway/internal/store"
)

// logRequests starts the request log with its RPC and returns what answers sellers from it and what gets the facts of calls; nil
// if the log is off.
func (c *Config) logRequests(s *service.Shell, kept *store.Store, windows requestsrpc.Windows) (
	*rest.Requests, func(*gin.Context, *web.Facts), error,
) {
	if c.Requests.Log == logOff {
		return nil, nil, nil
	}
	keys, err := c.Keys.CursorKeys()
	if err != nil {
		return nil, nil, err
	}
	cursors, err := paging.NewSigner(keys.Current(), keys.Previous()...)
	if err != nil {
		return nil, nil, err
	}
	log, err := requestlog.New(kept.WriteRequests, s.Telemetry)
	if err != nil {
		return nil, nil, err
	}
	s.Lasting(log.Keep) // calls are answered while the gateway drains
	limits := requestlog.Limits{Days: c.Requests.Days, Bytes: c.Requests.MiB << 20}
	s.Background(sweep.New(kept.RequestDays(limits, s.Telemetry), s.Telemetry).Keep)
	record := keysrpc.NewRecorder(kept.RecordRefusal, s.Telemetry.Logger)
	s.RPC(gatewayv1connect.NewRequestsHandler(requestsrpc.New(kept, windows), s.RPCOptions(record),
		connect.WithReadMaxBytes(keysrpc.MaxMessageBytes)))
	return &rest.Requests{Log: kept, Cursors: cursors}, log.Answered, nil
}
