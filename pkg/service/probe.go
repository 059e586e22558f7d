package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"syscall"

	"sellerapi.dev/pkg/apierr"
)

// probe runs one check and survives a check that does not come back.
type probe struct {
	check   Check
	running atomic.Bool
}

// run returns when the check does, at the latest when ctx ends. A check that ignores its context is left running, and
// until it returns no second one is started beside it.
func (p *probe) run(ctx context.Context) CheckReport {
	report := CheckReport{Name: p.check.Name, Optional: p.check.Optional}
	if !p.running.CompareAndSwap(false, true) {
		report.Error = classTimeout
		return report
	}
	done := make(chan error, 1)
	go func() {
		defer p.running.Store(false)
		done <- p.guarded(ctx)
	}()
	select {
	case err := <-done:
		report.OK, report.Error = err == nil, class(err)
	case <-ctx.Done():
		report.Error = classTimeout
	}
	return report
}

// guarded turns a panic of the check into an error: a broken check must not end the service.
func (p *probe) guarded(ctx context.Context) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("panic: %v", problem)
		}
	}()
	return p.check.Probe(ctx)
}

// The classes of errors that /readyz names.
const (
	classTimeout = "timeout"
	classRefused = "refused"
	classBroken  = "connection broken"
	className    = "name not found"
	classOther   = "error"
)

// class says what kind of error it is without its text, "" for nil.
func class(err error) string {
	var timeout net.Error
	var name *net.DNSError
	var row *apierr.Error
	switch {
	case err == nil:
		return ""
	case errors.Is(err, syscall.ECONNREFUSED):
		return classRefused
	case errors.As(err, &name) && name.IsNotFound:
		return className
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return classTimeout
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return classBroken
	case errors.As(err, &row):
		return string(row.Code)
	default:
		return classOther
	}
}
