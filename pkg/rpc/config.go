package rpc

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/certificate"
)

// Config has the settings that client and server of internal calls share. A zero Timeout means its default.
type Config struct {
	Timeout time.Duration `name:"rpc-timeout" env:"RPC_TIMEOUT" default:"5s" help:"Timeout of a call whose caller sets none."`
	Revoked []string      `name:"rpc-revoked-tokens" env:"RPC_REVOKED_TOKENS" sep:"," help:"IDs of revoked tokens, separated by commas. An ID may be removed once its token has expired."`

	// TLS is required on the ports of a service and on those that it calls.
	TLS certificate.Config `embed:""`

	// Dial is the time-out for opening a connection; 0 means 2 s. A loaded machine may need more.
	Dial time.Duration `kong:"-"`
}

// Validate returns an error for a malformed id, because the token to be revoked would still be accepted.
func (c *Config) Validate() error {
	_, err := tokenIDs(c.Revoked)
	return err
}

// tokenIDs returns ids of tokens as they are in tokens. A UUID has several spellings.
func tokenIDs(texts []string) (map[string]bool, error) {
	ids := map[string]bool{}
	for i, text := range texts {
		id, err := uuid.Parse(strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("RPC_REVOKED_TOKENS: %d: not the id of a token", i+1)
		}
		ids[id.String()] = true
	}
	return ids, nil
}

// maxTimeout is the longest time that a call gets, whatever the caller's deadline. A missing deadline must not keep a transaction
// open.
const maxTimeout = 30 * time.Second

// maxMessageBytes limits a message, both compressed and uncompressed; a batch of a few thousand orders fits.
const maxMessageBytes = 32 << 20

// compressFromBytes is the minimum size for compression of a response: smaller ones fit into one packet.
const compressFromBytes = 1400
