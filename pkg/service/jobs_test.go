package service_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/service"
)

// jobClient fails to start a few times.
type jobClient struct {
	failures       int
	begun, stopped chan struct{}
}

func (c *jobClient) Start(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.failures > 0 {
		c.failures--
		return errors.New("the database is away")
	}
	close(c.begun)
	return nil
}

func (c *jobClient) Stop(ctx context.Context) error {
	close(c.stopped)
	return ctx.Err()
}

// A service starts while its database is away, and works its jobs when it is back; at the end it waits for those under way.
func TestRunJobs_startsWhenItCan(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := &jobClient{failures: 3, begun: make(chan struct{}), stopped: make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { service.RunJobs(ctx, client, slog.New(slog.DiscardHandler)); close(ended) }()
		<-client.begun
		cancel()
		<-ended
		<-client.stopped
	})
}

// An instance that ends before it reached its database has no jobs to wait for.
func TestRunJobs_endsWithoutDatabase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := &jobClient{failures: 1000, begun: make(chan struct{}), stopped: make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		service.RunJobs(ctx, client, slog.New(slog.DiscardHandler))
		require.Equal(t, 999, client.failures, "one attempt")
	})
}
