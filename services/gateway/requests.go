package gateway

import (
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/requestlog"
	"sellerapi.dev/services/gateway/internal/store"
)

// logRequests starts the request log and returns what gets the facts of calls; nil if the log is off.
func (c *Config) logRequests(s *service.Shell, kept *store.Store) (func(*gin.Context, *web.Facts), error) {
	if c.Requests.Log == logOff {
		return nil, nil
	}
	log, err := requestlog.New(kept.WriteRequests, s.Telemetry)
	if err != nil {
		return nil, err
	}
	s.Background(log.Keep)
	limits := requestlog.Limits{Days: c.Requests.Days, Bytes: c.Requests.MiB << 20}
	s.Background(sweep.New(kept.RequestDays(limits, s.Telemetry), s.Telemetry).Keep)
	return log.Answered, nil
}
