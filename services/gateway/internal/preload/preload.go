// Package preload caches the active keys at the start of an instance. Otherwise the first call of every client to a new
// instance would need the database, in a rolling update at the very moment when many instances connect to it.
package preload

import (
	"context"
	"errors"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/gateway/internal/apikey"
)

// maxTries is how often the active keys are read before the instance becomes ready without them. A try takes a second at most and
// another one passes before the next.
const maxTries = 3

// Preload caches the keys that List returns, once Database succeeds.
type Preload struct {
	Verifier *apikey.Verifier
	Database func(context.Context) error
	List     func(context.Context, int) ([]apikey.Found, error)
	Logger   *slog.Logger
	Read     prometheus.Counter
	Outcomes *prometheus.CounterVec

	failed int // tries; a probe never runs twice at the same time
}

// Try is the probe of the check that succeeds as soon as the keys are cached, or after maxTries: a database that is too slow
// for the list may still be quick enough for single keys, and an instance that looks them up is better than none. Tries without
// a database, or before its first migration, do not count, because the instance cannot serve then.
func (p *Preload) Try(ctx context.Context) error {
	if err := p.Database(ctx); err != nil && !errors.Is(err, postgres.ErrReadOnly) {
		return err
	}
	keys, err := p.List(ctx, apikey.MaxPreload)
	if err == nil {
		p.Verifier.Preload(keys)
		p.Read.Add(float64(len(keys)))
		p.Outcomes.WithLabelValues("done").Inc()
		return nil
	}
	if p.failed++; p.failed < maxTries {
		return err
	}
	p.Logger.WarnContext(ctx, "keys not preloaded: each is looked up at its first call", "tries", p.failed, "error", err)
	p.Outcomes.WithLabelValues("given_up").Inc()
	return nil
}
