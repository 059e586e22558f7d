package service

import (
	"time"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry"
)

// shutdownTimeout is how long requests in progress may take when a service ends: longer than any operation, so that a rolling
// restart interrupts none. A client that reads its answer more slowly than that is cut off.
func shutdownTimeout() time.Duration { return operation.MaxTimeout() + 5*time.Second }

// Config has the settings that every service has. Embed it in the service's own configuration with `embed:""`. The zero value
// uses free ports on all interfaces and no wait at the end, which suits tests.
type Config struct {
	Listen Listen `name:"listen" env:"LISTEN" default:"public=:8080,rpc=:8081,ops=:9090" help:"Listen addresses for the public paths, for internal calls, and for metrics and probes; with ,profiles=127.0.0.1:6060 also for /debug/pprof/. Port 0 takes any free one."`

	DrainWait time.Duration `name:"drain-wait" env:"DRAIN_WAIT" default:"5s" help:"Time between becoming not ready and closing the listeners."`

	// ShutdownTimeout is the time for requests under way to end after that; 0 means five seconds more than
	// the longest operation may take.
	ShutdownTimeout time.Duration `kong:"-"`

	Telemetry telemetry.Config `embed:""`
}
