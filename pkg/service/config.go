package service

import (
	"time"

	"sellerapi.dev/pkg/telemetry"
)

// Config holds the settings that every service has. Embed it in the service's own configuration with `embed:""`. In the
// zero value ports are free ones on all interfaces and there is no wait at the end, which suits tests; a shutdown time-out
// of zero is the default one.
type Config struct {
	ListenPublic string `name:"listen-public" env:"LISTEN_PUBLIC" default:":8080" help:"Address of the public paths; port 0 takes any free one."`
	ListenRPC    string `name:"listen-rpc" env:"LISTEN_RPC" default:":8081" help:"Address of the internal calls."`
	ListenOps    string `name:"listen-ops" env:"LISTEN_OPS" default:":9090" help:"Address of metrics and probes, and of profiles for callers on the loopback."`

	DrainWait       time.Duration `name:"drain-wait" env:"DRAIN_WAIT" default:"5s" help:"Time between turning not ready and closing the listeners."`
	ShutdownTimeout time.Duration `name:"shutdown-timeout" env:"SHUTDOWN_TIMEOUT" default:"35s" help:"Time for requests under way to end after that. Longer than any of them may take."`

	Telemetry telemetry.Config `embed:""`
}
