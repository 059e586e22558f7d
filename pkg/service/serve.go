package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// The last times of the end: for all close functions together, for the last probe or scrape, for the last spans. They are
// not settings because the process exits after them in any case.
const (
	closeTimeout   = 8 * time.Second
	opsStopTimeout = time.Second
	flushTimeout   = 2 * time.Second
)

// Serve runs the service until ctx is done, then drains it and returns nil. It returns an error when a listener cannot be bound
// or fails, when requests had to be cut off, or when a close function fails.
func Serve(ctx context.Context, spec Spec) error {
	return newInstance(spec).run(ctx)
}

type instance struct {
	spec    Spec
	log     *slog.Logger
	ready   *readiness
	pause   func(time.Duration) // waits in step 2 of the shutdown; replaced in tests
	servers []*server
	ops     *server
	failed  chan error
}

func newInstance(spec Spec) *instance {
	return &instance{spec: spec, log: spec.Telemetry.Logger, pause: pause, ready: newReadiness(spec.Checks, spec.Telemetry)}
}

func (i *instance) run(ctx context.Context) error {
	ending := context.WithoutCancel(ctx) // the shutdown must not be canceled by the same signal
	defer i.flush(ending)
	if err := i.bind(ctx); err != nil {
		return errors.Join(err, i.close(ending))
	}
	i.start(ctx)
	stop := beside(ctx, i.ready.reach)
	cause := i.await(ctx)
	if cause == nil {
		i.drain()
	}
	i.ready.set(stateDraining)
	stop()
	err := errors.Join(cause, i.shutdown(ending), i.close(ending))
	if err != nil {
		i.log.ErrorContext(ctx, "stopped with errors", "error", err)
	} else {
		i.log.InfoContext(ctx, "stopped")
	}
	i.stopLast(ending)
	return err
}

// bind opens all ports before any of them accepts. If one fails, the open ones are closed again.
func (i *instance) bind(ctx context.Context) error {
	ops := Listener{Name: OpsListener, Addr: i.spec.Config.Listen.Ops, Handler: opsHandler(i.ready, i.spec.Telemetry)}
	for _, listener := range append(slices.Clone(i.spec.Listeners), ops) {
		s, err := newServer(ctx, listener, i.ready, i.log)
		if err != nil {
			for _, opened := range i.servers {
				_ = opened.port.Close()
			}
			return err
		}
		i.servers = append(i.servers, s)
	}
	last := len(i.servers) - 1
	i.ops, i.servers = i.servers[last], i.servers[:last]
	return nil
}

func (i *instance) start(ctx context.Context) {
	i.failed = make(chan error, len(i.servers)+1)
	addresses := Addresses{}
	for _, s := range append(slices.Clone(i.servers), i.ops) {
		addresses[s.name] = s.port.Addr().String()
		go func() { i.failed <- s.serve() }()
	}
	debug.FreeOSMemory() // releases the memory that only the start needed
	i.ready.set(stateServing)
	i.log.LogAttrs(ctx, slog.LevelInfo, "serving", slog.Any("addresses", addresses), settingsAttr(ctx))
	if i.spec.OnReady != nil {
		i.spec.OnReady(addresses)
	}
}

// beside runs a function in the background until ctx is done, and returns a function that stops it and waits for its end.
func beside(ctx context.Context, run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { run(ctx) })
	return func() { cancel(); running.Wait() }
}

// await returns nil when ctx ends and the error when a listener fails.
func (i *instance) await(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-i.failed:
		return err
	}
}

// drain waits for load balancers to notice that this instance is shutting down.
func (i *instance) drain() {
	i.ready.set(stateDraining)
	for _, draining := range i.spec.Drain {
		draining()
	}
	i.log.Info("draining", "wait", i.spec.Config.DrainWait.String())
	i.pause(i.spec.Config.DrainWait)
}

// shutdown closes the ports and waits for the requests in progress, except those of listeners that are not awaited.
func (i *instance) shutdown(ctx context.Context) error {
	timeout := cmp.Or(i.spec.Config.ShutdownTimeout, shutdownTimeout())
	var group errgroup.Group
	for _, s := range i.servers {
		if !s.notAwaited {
			group.Go(func() error { return s.stop(ctx, timeout) })
		}
	}
	return group.Wait()
}

// stopLast closes the ports that are open until everything else has ended. What is cut off there is no failure of the service.
func (i *instance) stopLast(ctx context.Context) {
	for _, s := range i.servers {
		if s.notAwaited {
			_ = s.http.Close()
		}
	}
	_ = i.ops.stop(ctx, opsStopTimeout)
}

// close runs the close functions, the last one first, each of them even if others fail.
func (i *instance) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	var problems []error
	for _, closing := range slices.Backward(i.spec.Close) {
		if err := closing(ctx); err != nil {
			problems = append(problems, fmt.Errorf("close: %w", err))
		}
	}
	return errors.Join(problems...)
}

func (i *instance) flush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	if err := i.spec.Telemetry.Shutdown(ctx); err != nil {
		i.log.WarnContext(ctx, "spans lost at shutdown", "error", err)
	}
}

func pause(d time.Duration) { <-time.After(d) }
