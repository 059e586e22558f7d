package service

import (
	"time"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry"
)

// shutdownTimeout is how long requests under way have when a service ends: longer than any operation may take, so that a rolling restart
// breaks none off.
func shutdownTimeout() time.Duration { return operation.LongestTimeout() + 5*time.Second }

// Config holds the settings that every service has. Embed it in the service's own configuration with `embed:""`. In the
// zero value ports are free ones on all interfaces and there is no wait at the end, which suits tests.
type Config struct {
	Listen Listen `name:"listen" env:"LISTEN" default:"public=:8080,rpc=:8081,ops=:9090" help:"Addresses of the ports: of the public paths, of the internal calls, and of metrics, probes and, for callers on the loopback, profiles. Port 0 takes any free one."`

	DrainWait time.Duration `name:"drain-wait" env:"DRAIN_WAIT" default:"5s" help:"Time between turning not ready and closing the listeners."`

	// ShutdownTimeout is the time for requests under way to end after that; 0 means five seconds more than
	// the longest operation may take.
	ShutdownTimeout time.Duration `kong:"-"`

	Telemetry telemetry.Config `embed:""`
}
