package bench

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/http/pprof"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ratelimit"
	"sellerapi.dev/services/gateway/internal/rest"
	"sellerapi.dev/services/gateway/internal/store"
	"sellerapi.dev/services/gateway/internal/upstream"
)

const (
	sellers = 300
	// wide is the limit of calls per class and key in a window: more than any key makes.
	wide = 5000
)

// wideLimits refuse no call of the benchmark.
var wideLimits = ratelimit.Config{Read: wide, Process: wide, Rows: wide * ratelimit.MaxRows, Timeout: 5 * time.Second}

// ready is the message of the gateway when it is listening: three addresses and the texts of its keys.
type ready struct {
	Gateway, Plain, Control string
	Keys                    []string
}

// serveTarget runs the measured process: the gateway, the plain proxy, and a port for profiles.
func serveTarget(ctx context.Context, out io.Writer, serviceAddress, postgresURL, redisURL string) error {
	tel, err := telemetry.New(ctx, "gateway", "bench", telemetry.Config{}, telemetry.WithLogWriter(failures{}))
	if err != nil {
		return err
	}
	client, err := redis.Open(ctx, redis.Config{URL: secret.New(redisURL)}, tel, admission.Scripts()...)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	keys, verifier, closePool, err := issued(ctx, postgresURL, tel)
	if err != nil {
		return err
	}
	defer closePool()
	key, trusted, err := parties()
	if err != nil {
		return err
	}
	signer, err := principal.NewSigner(key, trusted)
	if err != nil {
		return err
	}
	address := &url.URL{Scheme: "http", Host: serviceAddress}
	addresses := map[operation.Service]*url.URL{}
	for _, service := range operation.Services() {
		addresses[service] = address
	}
	forwarder := upstream.New(upstream.Options{Addresses: addresses, Signer: signer, Telemetry: tel})
	defer forwarder.Close()
	admitter := admission.New(client, wideLimits, idempotency.Config{})
	defer admitter.Drain()
	return serve(ctx, out, map[string]http.Handler{
		"Gateway": rest.New(rest.Options{Verifier: verifier, Admitter: admitter, Forwarder: forwarder, Telemetry: tel}), //nolint:contextcheck // its requests have their own contexts
		"Plain":   plain(forwarder, tel),
		"Control": control(),
	}, map[string]any{"Keys": keys})
}

func parties() (own trust.PrivateKey, trusted trust.PublicKeys, err error) {
	var public []string
	for _, party := range trust.Parties() {
		seed := sha256.Sum256([]byte(party))
		key, err := trust.ParsePrivateKey(base64.StdEncoding.EncodeToString(seed[:]))
		if err != nil {
			return trust.PrivateKey{}, trust.PublicKeys{}, err
		}
		if party == trust.Gateway {
			own = key
		}
		public = append(public, string(party)+"="+key.Public())
	}
	trusted, err = trust.ParsePublicKeys(strings.Join(public, ","))
	return own, trusted, err
}

// failures is a log writer that discards all lines but errors, so that logging costs the same as in production.
type failures struct{}

// Write implements io.Writer.
func (failures) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte(`"level":"ERROR"`)) {
		return os.Stderr.Write(line)
	}
	return len(line), nil
}

// plain returns the gateway without any decisions: the same engine, compression, forwarder and connections.
func plain(forwarder *upstream.Forwarder, tel *telemetry.Telemetry) http.Handler {
	engine := web.NewEngine(web.Options{Service: "plain", Telemetry: tel})
	caller := principal.Principal{SellerID: uuid.New(), KeyID: uuid.NewString(), KeyPrefix: "vpk_test_abc", Scopes: principal.All()}
	for _, op := range operation.All() {
		engine.Handle(op.Method, op.Path, func(c *gin.Context) {
			if err := forwarder.Forward(c.Writer, c.Request, upstream.Call{Operation: op, Caller: caller}); err != nil {
				web.Fail(c, err)
			}
		})
	}
	return rest.Compressed(engine)
}

// serveBare runs the reference proxy: the standard library's, with the gateway's number of idle connections.
func serveBare(ctx context.Context, out io.Writer, serviceAddress string) error {
	address := &url.URL{Scheme: "http", Host: serviceAddress}
	return serve(ctx, out, map[string]http.Handler{"Address": &httputil.ReverseProxy{
		Rewrite:   func(p *httputil.ProxyRequest) { p.SetURL(address) },
		Transport: &http.Transport{MaxIdleConnsPerHost: 512, DisableCompression: true},
	}})
}

func control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/allocs", pprof.Handler("allocs").ServeHTTP)
	return mux
}

// letters returns constant keys for every component that needs some.
func letters() secret.Keys {
	keys, err := secret.NewKeys(bytes.Repeat([]byte("b"), secret.MinKeyBytes))
	if err != nil {
		panic(err) // cannot happen: the key is long enough
	}
	return keys
}

// issued creates the schema, issues the keys and returns their texts and the verifier for them.
func issued(ctx context.Context, postgresURL string, tel *telemetry.Telemetry) ([]string, *apikey.Verifier, func(), error) {
	config := postgres.Config{URL: secret.New(postgresURL)}
	if err := postgres.Migrate(ctx, config, store.Schema, store.Migrations()); err != nil {
		return nil, nil, nil, err
	}
	pool, err := postgres.Open(ctx, config, store.Schema, tel)
	if err != nil {
		return nil, nil, nil, err
	}
	texts, textsErr := apikey.NewTexts(apikey.Test, letters())
	keyset, keysetErr := apikey.NewKeyset()
	vault, vaultErr := apikey.NewVault(keyset)
	if err := errors.Join(textsErr, keysetErr, vaultErr); err != nil {
		return nil, nil, nil, err
	}
	kept := store.New(pool)
	keys, err := issueAll(ctx, apikey.NewKeys(texts, vault, kept, apikey.DefaultLimits, nil))
	return keys, apikey.NewVerifier(texts, kept.FindKey, apikey.LookupTimeout), pool.Close, err
}

// benchmark is the author of the keys in the audit trail.
var benchmark = audit.Author{Caller: audit.CommandLine, Actor: "bench"}

// issueAll issues as many keys as each seller may hold.
func issueAll(ctx context.Context, keys *apikey.Keys) ([]string, error) {
	all := make([]string, sellers*apikey.DefaultLimits.Active)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for n := range sellers {
		group.Go(func() error {
			seller := uuid.New()
			if err := keys.Register(ctx, apikey.RegisterRequest{SellerID: seller, Name: "bench", Author: benchmark}); err != nil {
				return err
			}
			for k := range apikey.DefaultLimits.Active {
				_, text, err := keys.Issue(ctx, apikey.IssueRequest{
					SellerID: seller, Scopes: principal.All(), Purpose: "bench", Author: benchmark, RequestID: uuid.New(),
				})
				if err != nil {
					return fmt.Errorf("issue a key: %w", err)
				}
				all[n*apikey.DefaultLimits.Active+k] = text.Reveal()
			}
			return nil
		})
	}
	return all, group.Wait()
}
