package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/web"
)

const (
	smokePause   = 500 * time.Millisecond
	smokeTimeout = 15 * time.Second
)

// Smoke tests a running gateway from outside, as the last step of an installation. With a key it reads a page of orders, which
// involves gateway, Redis, PostgreSQL and the orders service; without one it checks that calls are refused.
type Smoke struct {
	URL    string             `required:"" help:"Address of the gateway, as http://host:port or https://host:port."`
	APIKey secret.Text        `name:"api-key" env:"API_KEY" help:"Key with the scope orders:read; without one, the command only checks that calls without a key are refused."`
	TLS    certificate.Client `embed:""`
	Wait   time.Duration      `default:"0s" help:"How long to retry. Directly after an installation, a new address may not be resolvable everywhere."`
}

// Run tries until the answer is as expected or the time is over.
func (c *Smoke) Run(ctx context.Context, out io.Writer) error {
	secured, err := c.TLS.Dialer(&net.Dialer{}, slog.Default())
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DialTLSContext: secured}}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, c.Wait+smokeTimeout)
	defer cancel()
	deadline, ticks := time.After(c.Wait), time.NewTicker(smokePause)
	defer ticks.Stop()
	for tries := 1; ; tries++ {
		err := c.try(ctx, client)
		if err == nil {
			_, err = fmt.Fprintf(out, "%s responds correctly (attempt %d)\n", c.URL, tries)
			return err
		}
		select {
		case <-deadline:
			return err
		case <-ticks.C:
		}
	}
}

func (c *Smoke) try(ctx context.Context, client *http.Client) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet,
		strings.TrimSuffix(c.URL, "/")+operation.Base+"/orders?limit=1", nil)
	if err != nil {
		return err
	}
	status, code := http.StatusOK, ""
	if key := c.APIKey.Reveal(); key != "" {
		request.Header.Set("X-Api-Key", key)
	} else {
		status, code = apierr.APIKeyRequired.Status(), apierr.APIKeyRequired.WireCode()
	}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	var envelope web.Envelope
	if err := json.NewDecoder(answer.Body).Decode(&envelope); err != nil {
		return fmt.Errorf("status %d, not an envelope: %w", answer.StatusCode, err)
	}
	return expect(envelope, status, code)
}

func expect(envelope web.Envelope, status int, code string) error {
	got := ""
	if envelope.Meta.ErrorCode != nil {
		got = *envelope.Meta.ErrorCode
	}
	if envelope.Meta.Code != status || got != code {
		return fmt.Errorf("answered %d %s %q, expected %d %s", envelope.Meta.Code, got, envelope.Meta.Message, status, code)
	}
	if status == http.StatusOK && !strings.Contains(string(envelope.Data), `"list":[`) {
		return errors.New("answered 200 without a list")
	}
	return nil
}
