package bench

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

type request struct {
	name   string
	method string
	target string
	accept string // encodings
	body   string
}

func (r request) bytes(key string, number uint64) []byte {
	head := fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: bench\r\nX-Api-Key: %s\r\n", r.method, r.target, key)
	if r.accept != "" {
		head = fmt.Appendf(head, "Accept-Encoding: %s\r\n", r.accept)
	}
	if r.method == http.MethodGet {
		return append(head, "\r\n"...)
	}
	return fmt.Appendf(head, "Idempotency-Key: %s-%d\r\nContent-Length: %d\r\n\r\n%s", run, number, len(r.body), r.body)
}

// run distinguishes the idempotency keys of this run from those of others.
var run = rand.Text()

var numbers atomic.Uint64

// client is a connection that sends requests sequentially, each with the next of its keys.
type client struct {
	conn    net.Conn
	answers *bufio.Reader
	keys    []string
	next    int
}

func dial(ctx context.Context, address string, keys []string) (*client, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &client{conn: conn, answers: bufio.NewReaderSize(conn, 64<<10), keys: keys}, nil
}

func (c *client) do(r request) error {
	key := c.keys[c.next%len(c.keys)]
	c.next++
	if _, err := c.conn.Write(r.bytes(key, numbers.Add(1))); err != nil {
		return err
	}
	response, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(response.Body, 1000))
		return fmt.Errorf("answered %d: %s", response.StatusCode, body)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// connected runs work on every connection. No two of them share a key.
func (b *bench) connected(ctx context.Context, address string, work func(context.Context, *client) error) error {
	shares := make([][]string, b.Connections)
	for i, key := range b.ready.Keys {
		shares[i%len(shares)] = append(shares[i%len(shares)], key)
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, keys := range shares {
		group.Go(func() error {
			c, err := dial(ctx, address, keys)
			if err != nil {
				return err
			}
			defer func() { _ = c.conn.Close() }()
			return work(ctx, c)
		})
	}
	return group.Wait()
}

type sample struct {
	perSecond float64
	cpu       used // per request
}

func (b *bench) load(ctx context.Context, to side, r request, lasting time.Duration) (sample, error) {
	before, err := b.used(to.pid)
	if err != nil {
		return sample{}, err
	}
	var sent atomic.Int64
	began := time.Now()
	err = b.connected(ctx, to.address, func(ctx context.Context, c *client) error {
		for time.Since(began) < lasting && ctx.Err() == nil {
			if err := c.do(r); err != nil {
				return err
			}
			sent.Add(1)
		}
		return nil
	})
	took := time.Since(began)
	if err != nil {
		return sample{}, fmt.Errorf("%s, %s: %w", to.name, r.name, err)
	}
	after, err := b.used(to.pid)
	return sample{perSecond: float64(sent.Load()) / took.Seconds(), cpu: after.each(before, sent.Load())}, err
}
