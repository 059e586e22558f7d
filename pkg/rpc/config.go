package rpc

import (
	"time"

	"sellerapi.dev/pkg/secret"
)

// Config holds the settings that both ends of internal calls share. Zero durations mean the defaults.
type Config struct {
	Secret     secret.Keys   `name:"rpc-secret" env:"RPC_SECRET" required:"" help:"Shared secret of internal calls: base64 of at least 32 bytes, optionally followed by a comma and the previous one."`
	Timeout    time.Duration `name:"rpc-timeout" env:"RPC_TIMEOUT" default:"5s" help:"Time for a call whose caller sets none."`
	MaxTimeout time.Duration `name:"rpc-max-timeout" env:"RPC_MAX_TIMEOUT" default:"30s" help:"Most time that a call gets, whatever its caller asks for."`
}

// Defaults for settings that are zero, as in configurations written by hand.
const (
	defaultTimeout    = 5 * time.Second
	defaultMaxTimeout = 30 * time.Second
)

// maxMessageBytes bounds a message, compressed and not: a batch of a few thousand orders fits, a runaway does not.
const maxMessageBytes = 32 << 20

// CallTimeout is the time of a call whose caller sets none.
func (c Config) CallTimeout() time.Duration {
	if c.Timeout <= 0 {
		return defaultTimeout
	}
	return c.Timeout
}

// maxTimeout is the most time of any call.
func (c Config) maxTimeout() time.Duration {
	if c.MaxTimeout <= 0 {
		return defaultMaxTimeout
	}
	return c.MaxTimeout
}
