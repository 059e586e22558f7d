package failover

import (
	"context"
	"time"

	"sellerapi.dev/services/lab/follow"
)

const (
	// pageSize is the number of records of a page forwards, and pagePause the time between two pages of all sellers.
	pageSize, pagePause = 5, 20 * time.Millisecond
	// dropEvery is how many pages are read per page after which the client dies before it has stored the page.
	dropEvery = 3
)

// followers are clients of all sellers that keep copies of their orders by reading them forwards, whatever happens to the
// servers.
type followers struct {
	caller *caller
	keys   []string
	copies []*follow.Copy
	stop   context.CancelFunc
	ended  chan struct{}
	// stored counts the pages that were stored, err is the first problem with one.
	stored int
	err    error
}

// follow starts to read the orders of all sellers in turns.
func (s *system) follow(ctx context.Context) *followers {
	reading, stop := context.WithCancel(ctx)
	f := &followers{caller: s.newCaller(), stop: stop, ended: make(chan struct{})}
	for _, seller := range s.sellers {
		f.keys, f.copies = append(f.keys, seller.key), append(f.copies, follow.New(follow.Lists()[0]))
	}
	go func() {
		defer close(f.ended)
		for n := 0; f.err == nil && pause(reading, pagePause); n++ {
			f.err = f.read(reading, n)
		}
	}()
	return f
}

// read reads the next page of one seller. A page that does not come, and every third one that does, is lost.
func (f *followers) read(ctx context.Context, n int) error {
	copied := f.copies[n%len(f.copies)]
	page, err := copied.List.Next(ctx, f.get(n%len(f.copies)), copied.After, follow.Options{Limit: pageSize})
	if err != nil || n/len(f.copies)%dropEvery == dropEvery-1 {
		return nil //nolint:nilerr // the client reads again from the same position
	}
	f.stored++
	return copied.Add(page)
}

// end stops reading, reads the rest, and returns how many copies differ from a full read.
func (f *followers) end(ctx context.Context) (inexact int, err error) {
	f.stop()
	<-f.ended
	if f.err != nil {
		return 0, f.err
	}
	for n, copied := range f.copies {
		if err := copied.CatchUp(ctx, f.get(n)); err != nil {
			return 0, err
		}
		problem, err := copied.Differs(ctx, f.get(n))
		if err != nil {
			return 0, err
		}
		inexact += one(problem != "")
	}
	return inexact, nil
}

// get returns a function that reads as the n-th seller.
func (f *followers) get(n int) follow.Get {
	return follow.Over(f.caller.client, f.caller.address, f.keys[n])
}
