package rest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/apikey"
)

// KeyHeader is the header with the key text of a client, in the canonical form of net/http.
const KeyHeader = "X-Api-Key"

type authenticator struct {
	verifier *apikey.Verifier
	refusals *prometheus.CounterVec
}

func newAuthenticator(verifier *apikey.Verifier, tel *telemetry.Telemetry) *authenticator {
	return &authenticator{verifier: verifier, refusals: tel.Counter(telemetry.KeyRefusals)}
}

// authenticate returns the bearer of the request's key and removes the key from the request. Whether the key is still valid is
// decided together with the limits, in one round trip. Errors: those of identify.
func (a *authenticator) authenticate(c *gin.Context) (apikey.Bearer, error) {
	sent := c.Request.Header[KeyHeader]
	delete(c.Request.Header, KeyHeader)
	bearer, err := a.identify(c.Request.Context(), sent)
	switch {
	case err == nil:
		web.SetCaller(c, bearer.SellerID, bearer.Prefix)
		web.FactsOf(c).KeyID = bearer.ID
	case errors.Is(err, apierr.APIKeyRequired) && c.GetHeader("Authorization") != "":
		err = apierr.APIKeyRequired.Meaning(apierr.HintHeader)
	}
	return bearer, err
}

// identify returns the bearer for the header's values. Errors: API_KEY_REQUIRED, INVALID_API_KEY, and Unavailable if the key
// could not be looked up.
func (a *authenticator) identify(ctx context.Context, sent []string) (apikey.Bearer, error) {
	switch {
	case blank(sent):
		a.count(apikey.ReasonMissing)
		return apikey.Bearer{}, apierr.APIKeyRequired
	case len(sent) > 1:
		return apikey.Bearer{}, a.refuse(&apikey.RefusedError{Reason: apikey.ReasonRepeated})
	}
	bearer, err := a.verifier.Identify(ctx, sent[0])
	return bearer, a.explained(err)
}

// explained maps the error of a failed look-up to the client's error; nil stays nil.
func (a *authenticator) explained(err error) error {
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*apikey.RefusedError](err); ok {
		return a.refuse(refused)
	}
	return apierr.Unavailable.Because(fmt.Errorf("look up a key: %w", err))
}

func (a *authenticator) missing(scope principal.Scope) error {
	a.count(apikey.ReasonScope)
	return apierr.ScopeForbidden.With(map[string]any{"required_scope": scope})
}

// refuse returns the same error for every invalid key. The reason is only in the log and the metric.
func (a *authenticator) refuse(refused *apikey.RefusedError) error {
	a.count(refused.Reason)
	return apierr.InvalidAPIKey.Because(refused)
}

func (a *authenticator) count(reason apikey.Reason) { a.refusals.WithLabelValues(string(reason)).Inc() }

// blank reports whether all values are empty. A header sent twice, once empty, still counts as sent twice.
func blank(values []string) bool {
	return !slices.ContainsFunc(values, func(value string) bool { return strings.TrimSpace(value) != "" })
}
