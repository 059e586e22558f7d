package stack

import (
	"context"
	"errors"
	"fmt"

	"sellerapi.dev/pkg/service"
)

type instance struct {
	name   string
	cancel context.CancelFunc
	ready  chan service.Addresses
	ended  chan struct{}
	err    error
}

// run starts a service, which runs until it is stopped, even after ctx has ended.
func run(ctx context.Context, name string, serve func(context.Context, func(service.Addresses)) error) *instance {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	i := &instance{name: name, cancel: cancel, ready: make(chan service.Addresses, 1), ended: make(chan struct{})}
	go func() {
		defer close(i.ended)
		if i.err = serve(ctx, func(a service.Addresses) { i.ready <- a }); i.err != nil {
			i.err = fmt.Errorf("%s: %w", name, i.err)
		}
	}()
	return i
}

// addresses waits until the service listens and returns its addresses. ctx
// bounds the wait.
func (i *instance) addresses(ctx context.Context) (service.Addresses, error) {
	select {
	case addresses := <-i.ready:
		return addresses, nil
	case <-i.ended:
		return nil, errors.Join(i.err, fmt.Errorf("%s exited while starting", i.name))
	case <-ctx.Done():
		return nil, fmt.Errorf("start %s: %w", i.name, context.Cause(ctx))
	}
}

func (i *instance) stop() error {
	i.cancel()
	<-i.ended
	return i.err
}
