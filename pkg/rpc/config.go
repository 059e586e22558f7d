package rpc

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/certificate"
)

// Config holds the settings that both ends of internal calls share. A zero Timeout means its default.
type Config struct {
	Timeout time.Duration `name:"rpc-timeout" env:"RPC_TIMEOUT" default:"5s" help:"Time for a call whose caller sets none."`
	Revoked []string      `name:"rpc-revoked-tokens" env:"RPC_REVOKED_TOKENS" sep:"," help:"Ids of tokens that are refused although they have not expired, separated by commas. One may be taken off the list when its token has expired."`

	// TLS is spoken by the ports of a service and asked of those that it calls.
	TLS certificate.Config `embed:""`

	// Dial is the time for opening a connection; 2 s when it is zero. A machine that is busy with other things may take longer.
	Dial time.Duration `kong:"-"`
}

// Validate reports an id that is none: a token that was to be revoked would be accepted.
func (c *Config) Validate() error {
	for i, id := range c.Revoked {
		if _, err := uuid.Parse(strings.TrimSpace(id)); err != nil {
			return fmt.Errorf("RPC_REVOKED_TOKENS: %d: not the id of a token", i+1)
		}
	}
	return nil
}

// maxTimeout is the most time that a call gets, whatever its caller asks for. A forgotten deadline must not hold a
// transaction open.
const maxTimeout = 30 * time.Second

// maxMessageBytes bounds a message, compressed and not: a batch of a few thousand orders fits, a runaway does not.
const maxMessageBytes = 32 << 20
