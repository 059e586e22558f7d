package siege

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// timeout is how long an answer may take before the siege is aborted.
const timeout = time.Minute

// call is a request: the body length that it announces, and the part of the body that is sent.
type call struct {
	method, target, key string
	// announced is the length of the body, sent is its beginning.
	announced int
	sent      []byte
}

// head returns the request up to its body. Each call has an idempotency key of its own.
func (c call) head() []byte {
	head := fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: siege\r\nX-Api-Key: %s\r\n", c.method, c.target, c.key)
	if c.method == http.MethodPost {
		head = fmt.Appendf(head, "Idempotency-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n",
			rand.Text(), c.announced)
	}
	return append(head, "\r\n"...)
}

type link struct {
	net.Conn
	answers *bufio.Reader
}

func (s *siege) dial(ctx context.Context) (*link, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil, err
	}
	return &link{conn, bufio.NewReader(conn)}, conn.SetDeadline(time.Now().Add(timeout))
}

type answer struct {
	status     int
	retryAfter string
}

// do sends a call and reads its answer. It extends the deadline of the connection.
func (l *link) do(c call) (answer, error) {
	if err := l.SetDeadline(time.Now().Add(timeout)); err != nil {
		return answer{}, err
	}
	if _, err := l.Write(append(c.head(), c.sent...)); err != nil {
		return answer{}, err
	}
	return l.read()
}

func (l *link) read() (answer, error) {
	response, err := http.ReadResponse(l.answers, nil)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	_, err = io.Copy(io.Discard, response.Body)
	return answer{response.StatusCode, response.Header.Get("Retry-After")}, err
}

// once makes a call on a connection of its own.
func (s *siege) once(ctx context.Context, c call) (answer, error) {
	l, err := s.dial(ctx)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = l.Close() }()
	return l.do(c)
}

// expect makes a call on a connection of its own that must be answered with the status.
func (s *siege) expect(ctx context.Context, c call, status int) error {
	got, err := s.once(ctx, c)
	if err == nil && got.status != status {
		err = fmt.Errorf("%s %s got the status %d instead of %d", c.method, c.target, got.status, status)
	}
	return err
}
