package qna

import (
	"errors"
	"fmt"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
)

// Config is everything that can be set from outside.
type Config struct {
	Service  service.Config  `embed:""`
	Postgres postgres.Config `embed:""`
	RPC      rpc.Config      `embed:""`
	Inbox    inbox.Config    `embed:""`

	PrincipalKeys secret.Keys `name:"principal-keys" env:"PRINCIPAL_KEYS,PRINCIPAL_KEY" required:"" help:"Keys by which the caller's identity from the gateway is recognised: base64 of at least 32 bytes, optionally followed by a comma and the previous one."`
	CursorKeys    secret.Keys `name:"cursor-keys" env:"CURSOR_KEYS,CURSOR_KEY" required:"" help:"Keys that sign list cursors: base64 of at least 32 bytes, optionally followed by a comma and the previous one."`

	// OnReady, when set, is told the real addresses once all ports answer; tests listen on port 0.
	OnReady func(service.Addresses) `kong:"-"`
}

// check reports every key that is missing, for callers that do not come by the command line.
func (c *Config) check() error {
	var problems []error
	if c.PrincipalKeys.IsZero() {
		problems = append(problems, fmt.Errorf("PRINCIPAL_KEYS: %w", secret.ErrNoKeys))
	}
	if c.CursorKeys.IsZero() {
		problems = append(problems, fmt.Errorf("CURSOR_KEYS: %w", secret.ErrNoKeys))
	}
	return errors.Join(problems...)
}
