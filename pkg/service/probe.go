package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"sync/atomic"
	"syscall"

	"sellerapi.dev/pkg/apierr"
)

// probe runs one check and tolerates a check that does not return.
type probe struct {
	check   Check
	running atomic.Bool
	reached atomic.Bool // the check has succeeded once
	fault   string      // the fault of the last run, "" if it succeeded; guarded by the mutex of readiness
}

// errStuck says that a check has not returned since an earlier run.
var errStuck = fmt.Errorf("the previous probe has not returned: %w", context.DeadlineExceeded)

// run returns when the check returns or ctx is done. A check that ignores its context keeps running, and no second one is started
// until it returns.
func (p *probe) run(ctx context.Context) error {
	if p.check.Once && p.reached.Load() {
		return nil
	}
	if !p.running.CompareAndSwap(false, true) {
		return errStuck
	}
	done := make(chan error, 1)
	go func() {
		defer p.running.Store(false)
		done <- p.guarded(ctx)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("no response in time: %w", ctx.Err())
	}
}

// guarded converts a panic of the check to an error, so that it does not crash the service.
func (p *probe) guarded(ctx context.Context) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("panic: %v", problem)
		}
	}()
	if err = p.check.Probe(ctx); err == nil || impairmentOf(err) != "" {
		p.reached.Store(true)
	}
	return err
}

func (p *probe) changed(err error) bool {
	before := p.fault
	p.fault = fault(err)
	return p.fault != before
}

// localPort matches the part of an error's text that varies with each connection.
var localPort = regexp.MustCompile(`\S+->`)

// fault returns a text that is equal for equivalent errors: their text without ephemeral ports. All time-outs are
// equivalent, because it is chance which of several deadlines passes first.
func fault(err error) string {
	if err == nil || class(err) == classTimeout {
		return class(err)
	}
	return localPort.ReplaceAllString(err.Error(), "")
}

// The classes of errors that /readyz names.
const (
	classTimeout = "timeout"
	classRefused = "refused"
	classBroken  = "connection broken"
	className    = "name not found"
	classOther   = "error"
)

// classed is an error that defines its own class for /readyz. The class is one word or a few, without data.
type classed interface{ ProbeClass() string }

// impaired is the error of a dependency that answers but is restricted. The name is one of Check.Impairments.
type impaired interface{ ProbeImpairment() string }

// impairmentOf returns the name of an impairment, "" for any other error and for nil.
func impairmentOf(err error) string {
	var found impaired
	if !errors.As(err, &found) {
		return ""
	}
	return found.ProbeImpairment()
}

// class returns the class of an error, which does not reveal its text; "" for nil.
func class(err error) string {
	var own classed
	var timeout net.Error
	var name *net.DNSError
	var row *apierr.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &own):
		return own.ProbeClass()
	case errors.Is(err, syscall.ECONNREFUSED):
		return classRefused
	case errors.As(err, &name) && name.IsNotFound:
		return className
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return classTimeout
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF):
		return classBroken
	case errors.As(err, &row):
		return string(row.Code)
	default:
		return classOther
	}
}
