package rpc

import (
	"time"

	"sellerapi.dev/pkg/secret"
)

// Config holds the settings that both ends of internal calls share. A zero Timeout means its default.
type Config struct {
	Secret  secret.Keys   `name:"rpc-secret" env:"RPC_SECRET" required:"" help:"Shared secret of internal calls: base64 of at least 32 bytes, optionally followed by a comma and the previous one."`
	Timeout time.Duration `name:"rpc-timeout" env:"RPC_TIMEOUT" default:"5s" help:"Time for a call whose caller sets none."`
}

// maxTimeout is the most time that a call gets, whatever its caller asks for. A forgotten deadline must not hold a
// transaction open.
const maxTimeout = 30 * time.Second

// maxMessageBytes bounds a message, compressed and not: a batch of a few thousand orders fits, a runaway does not.
const maxMessageBytes = 32 << 20
