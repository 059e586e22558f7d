package commands

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/trust"
)

// Token issues a credential to a system of the marketplace, or to a person. It runs where the issuer's key is, which is never
// in a pod.
type Token struct {
	Key      string        `placeholder:"FILE" required:"" help:"File with the private key of the issuer of tokens: base64 of the 32 bytes of an Ed25519 seed."`
	Caller   string        `required:"" help:"Caller that the token identifies, from the table of permissions; it is logged with every call."`
	Audience []string      `help:"Services that accept the token, separated by commas; by default all services in which the caller may call anything."`
	TTL      time.Duration `name:"ttl" default:"1h" help:"Lifetime of the token, 2160h (90 days) at most."`
}

// Run prints the token, and on standard error the id for its revocation. It refuses a caller without permissions, so that the
// mistake is noticed here.
func (c *Token) Run(out io.Writer) error {
	if !slices.Contains(rpc.Callers(), c.Caller) {
		return fmt.Errorf("--caller %s: no such caller; known are %s", c.Caller, strings.Join(rpc.Callers(), ", "))
	}
	open := rpc.Audience(c.Caller)
	if len(c.Audience) == 0 {
		c.Audience = open
	}
	for _, service := range c.Audience {
		if !slices.Contains(open, service) {
			return fmt.Errorf("--audience %s: %s may call nothing there; it may call %s", service, c.Caller, strings.Join(open, ", "))
		}
	}
	key, err := c.issuerKey()
	if err != nil {
		return err
	}
	token, err := rpc.NewToken(rpc.Identity{Party: trust.Issuer, Key: key, Caller: c.Caller, Audience: c.Audience}, c.TTL)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(os.Stderr, "token %s of %s for %s, until %s\n",
		token.ID, c.Caller, strings.Join(c.Audience, ", "), token.Expires.UTC().Format(time.RFC3339))
	return printed(out)(secret.New(token.Text), nil)
}

// issuerKey reads the key from its file, so that it appears neither in the process list nor in the environment.
func (c *Token) issuerKey() (trust.PrivateKey, error) {
	text, err := os.ReadFile(c.Key)
	if err != nil {
		return trust.PrivateKey{}, fmt.Errorf("--key: %w", err)
	}
	key, err := trust.ParsePrivateKey(string(text))
	if err != nil {
		return trust.PrivateKey{}, fmt.Errorf("--key %s: %w", c.Key, err)
	}
	return key, nil
}
