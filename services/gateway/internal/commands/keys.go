package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ratelimit"
	"sellerapi.dev/services/gateway/internal/revocation"
	"sellerapi.dev/services/gateway/internal/store"
)

// Keys are the commands that perform the operations of the RPC directly on the database, with the same rules and audit trail,
// for times when no gateway runs or no console exists yet.
type Keys struct {
	RegisterSeller registerSeller `cmd:"" help:"Register a seller, or change its name."`
	Issue          issueKey       `cmd:"" help:"Issue a key and print it."`
	List           listKeys       `cmd:"" help:"List the keys of a seller."`
	Reveal         revealKey      `cmd:"" help:"Print an issued key again."`
	Revoke         revokeKey      `cmd:"" help:"Revoke a key immediately and permanently."`
}

type onKeys struct {
	Postgres postgres.Config `embed:""`
	Keys     apikey.Config   `embed:""`

	// Only the window of Limits is used.
	Limits ratelimit.Config `embed:""`

	Seller string `required:"" help:"UUID of the seller."`
	Actor  string `required:"" help:"Who acts, for the audit trail."`
}

func (c *onKeys) author(form *apikey.Form) audit.Author {
	return audit.Author{Caller: audit.CommandLine, Actor: form.Text("actor", c.Actor)}
}

// do calls fn with the use cases on the database, unless the arguments are wrong, and explains the error.
func (c *onKeys) do(ctx context.Context, wrong error, publish publish, fn func(context.Context, *apikey.Keys) error) error {
	if wrong != nil {
		return explained(wrong)
	}
	return explained(c.run(ctx, publish, fn))
}

// publish is a function that makes a revocation certain.
type publish func(context.Context, *store.Store, apikey.Key) error

// leaveToGateways is the publish function of commands that revoke nothing.
func leaveToGateways(context.Context, *store.Store, apikey.Key) error { return nil }

func (c *onKeys) run(ctx context.Context, publish publish, fn func(context.Context, *apikey.Keys) error) error {
	texts, vault, err := c.Keys.Open()
	if err != nil {
		return err
	}
	return Schema.WithPool(ctx, c.Postgres, func(pool *postgres.Pool) error {
		kept := store.New(pool)
		return fn(ctx, apikey.NewKeys(texts, vault, kept, c.Keys.Limits(c.Limits.Window),
			func(ctx context.Context, key apikey.Key) error {
				return publish(ctx, kept, key)
			}))
	})
}

type registerSeller struct {
	onKeys
	Name string `required:"" help:"Name of the seller."`
}

// Run registers the seller.
func (c *registerSeller) Run(ctx context.Context) error {
	var form apikey.Form
	request := apikey.RegisterRequest{
		SellerID: form.UUID("seller", c.Seller), Name: form.Text("name", c.Name), Author: c.author(&form),
	}
	return c.do(ctx, form.Err(), leaveToGateways, func(ctx context.Context,
		keys *apikey.Keys,
	) error {
		return keys.Register(ctx, request)
	})
}

type issueKey struct {
	onKeys
	Scopes    []string   `help:"Scopes of the key, separated by commas, at least one; all by default."`
	Purpose   string     `help:"What the key is used for."`
	ExpiresAt *time.Time `help:"When the key expires, as 2030-01-31T00:00:00Z; never by default."`
	RequestID string     `help:"UUID of this request: repeating it with the same content returns the same key. Random by default."`
}

// Run issues the key and prints it with its text.
func (c *issueKey) Run(ctx context.Context, out io.Writer) error {
	request, err := c.request()
	return c.do(ctx, err, leaveToGateways, func(ctx context.Context, keys *apikey.Keys) error {
		key, text, err := keys.Issue(ctx, request)
		if err != nil {
			return err
		}
		return printJSON(out, shown(key, text))
	})
}

func (c *issueKey) request() (apikey.IssueRequest, error) {
	if c.RequestID == "" {
		c.RequestID = uuid.NewString()
	}
	if c.Scopes == nil { // omitted; an empty list is refused
		c.Scopes = invalid.Names(principal.All())
	}
	var form apikey.Form
	request := apikey.IssueRequest{
		SellerID: form.UUID("seller", c.Seller), Scopes: form.Scopes("scopes", c.Scopes),
		Purpose: form.OptionalText("purpose", c.Purpose), ExpiresAt: form.Time("expires-at", c.ExpiresAt),
		Author: c.author(&form), RequestID: form.UUID("request-id", c.RequestID),
	}
	return request, form.Err()
}

type listKeys struct{ onKeys }

// Run prints the seller's keys, newest first.
func (c *listKeys) Run(ctx context.Context, out io.Writer) error {
	var form apikey.Form
	request := apikey.ViewRequest{SellerID: form.UUID("seller", c.Seller), Author: c.author(&form)}
	return c.do(ctx, form.Err(), leaveToGateways, func(ctx context.Context, keys *apikey.Keys) error {
		list, err := keys.List(ctx, request)
		if err != nil {
			return err
		}
		views := make([]keyView, len(list))
		for i, key := range list {
			views[i] = shown(key, secret.Text{})
		}
		return printJSON(out, views)
	})
}

type oneKey struct {
	onKeys
	Key string `required:"" help:"UUID of the key."`
}

type revealKey struct{ oneKey }

// Run prints only the text of the key.
func (c *revealKey) Run(ctx context.Context, out io.Writer) error {
	var form apikey.Form
	request := apikey.ViewRequest{
		SellerID: form.UUID("seller", c.Seller), KeyID: form.UUID("key", c.Key), Author: c.author(&form),
	}
	return c.do(ctx, form.Err(), leaveToGateways, func(ctx context.Context, keys *apikey.Keys) error {
		return printed(out)(keys.Reveal(ctx, request))
	})
}

type revokeKey struct {
	oneKey
	Redis  redis.Config `embed:""`
	Reason string       `help:"Why, for the audit trail."`
}

// publish makes the revocation certain on every gateway that shares the Redis.
func (c *revokeKey) publish(ctx context.Context, kept *store.Store, key apikey.Key) error {
	tel, err := telemetry.New(ctx, Schema.Name, service.Version(), telemetry.Config{LogLevel: slog.LevelWarn})
	if err != nil {
		return err
	}
	defer func() { _ = tel.Shutdown(ctx) }()
	client, err := redis.Open(ctx, c.Redis, tel, admission.Scripts()...)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	admitter := admission.New(client, ratelimit.Config{}, idempotency.Config{})
	return revocation.New(admitter, kept, tel.Logger).Publish(ctx, key)
}

// publishTimeout is how long the command tries to reach Redis. If it fails, the gateways publish the revocation.
const publishTimeout = 10 * time.Second

// Run revokes the key and prints it, after no gateway admits it any more.
func (c *revokeKey) Run(ctx context.Context, out io.Writer) error {
	var form apikey.Form
	request := apikey.RevokeRequest{
		SellerID: form.UUID("seller", c.Seller), KeyID: form.UUID("key", c.Key), Author: c.author(&form),
		Reason: form.OptionalText("reason", c.Reason),
	}
	return c.do(ctx, form.Err(), c.publish, func(ctx context.Context, keys *apikey.Keys) error {
		key, err := keys.Revoke(ctx, request)
		if err != nil {
			return err
		}
		return printJSON(out, shown(key, secret.Text{}))
	})
}

// explained adds the invalid arguments to an error, which a client of the API would find in error_data.
func explained(err error) error {
	var failure *apierr.Error
	if !errors.As(err, &failure) {
		return err
	}
	fields, _ := failure.Data["errors"].([]apierr.FieldError)
	for _, field := range fields {
		err = errors.Join(err, fmt.Errorf("%s %s", field.Field, field.Message))
	}
	return err
}

// keyView is a key as the commands print it, with the field names of the RPC contract.
type keyView struct {
	KeyID     string            `json:"key_id"`
	Prefix    string            `json:"prefix"`
	SellerID  string            `json:"seller_id"`
	Scopes    []principal.Scope `json:"scopes"`
	Purpose   string            `json:"purpose"`
	State     apikey.State      `json:"state"`
	IssuedAt  time.Time         `json:"issued_at"`
	ExpiresAt *time.Time        `json:"expires_at"`
	RevokedAt *time.Time        `json:"revoked_at"`
	Text      string            `json:"text,omitempty"`
}

func shown(key apikey.Key, text secret.Text) keyView {
	return keyView{
		KeyID: key.ID.String(), Prefix: key.Prefix, SellerID: key.SellerID.String(), Scopes: key.Scopes, Purpose: key.Purpose,
		State: key.State, IssuedAt: key.IssuedAt, ExpiresAt: key.ExpiresAt, RevokedAt: key.RevokedAt, Text: text.Reveal(),
	}
}

func printJSON(out io.Writer, view any) error {
	text, err := json.MarshalIndent(view, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, string(text))
	return err
}
