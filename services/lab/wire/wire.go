// Package wire is the client of the programs that measure and attack the system: it sends prepared bytes and reads an answer
// without decompressing or parsing its body, so that it uses as little of the machine as possible, and can send what no library
// would send.
package wire

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// timeout is how long an answer may take before a run is aborted.
const timeout = time.Minute

// Request is a call of a client.
type Request struct {
	Method, Target, Key string
	// Encoding is what the client accepts, "" if it does not say.
	Encoding string
	// Body is what is sent, Announced the length that is announced, which may be greater.
	Body      []byte
	Announced int
}

// Get returns a read as it is sent. It accepts compressed answers, as the HTTP libraries of clients do by default.
func Get(target, key string) []byte {
	return Request{Method: http.MethodGet, Target: target, Key: key, Encoding: "gzip"}.Bytes()
}

// Post returns a process call as it is sent, with an idempotency key of its own.
func Post(target, key, body string) []byte {
	return Request{
		Method: http.MethodPost, Target: target, Key: key, Encoding: "gzip", Body: []byte(body), Announced: len(body),
	}.Bytes()
}

// Bytes returns the request as it is sent. Each process call has an idempotency key of its own.
func (r Request) Bytes() []byte {
	head := fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: lab\r\nX-Api-Key: %s\r\n", r.Method, r.Target, r.Key)
	if r.Encoding != "" {
		head = fmt.Appendf(head, "Accept-Encoding: %s\r\n", r.Encoding)
	}
	if r.Method == http.MethodPost {
		head = fmt.Appendf(head, "Idempotency-Key: %s\r\nContent-Length: %d\r\n", rand.Text(), r.Announced)
		if r.Announced > 0 {
			head = append(head, "Content-Type: application/json\r\n"...)
		}
	}
	return append(append(head, "\r\n"...), r.Body...)
}

// Link is a connection on which requests follow each other.
type Link struct {
	net.Conn
	answers *bufio.Reader
}

// Dial connects to an address, with or without http:// before it.
func Dial(ctx context.Context, address string) (*Link, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		return nil, err
	}
	return &Link{conn, bufio.NewReaderSize(conn, 64<<10)}, conn.SetDeadline(time.Now().Add(timeout))
}

// Answer is what a request was answered with. Text is the beginning of the body of a refusal.
type Answer struct {
	Status int
	Header http.Header
	Text   string
}

// Do sends a request and reads its answer. It extends the deadline of the connection.
func (l *Link) Do(request []byte) (Answer, error) {
	if err := l.SetDeadline(time.Now().Add(timeout)); err != nil {
		return Answer{}, err
	}
	if _, err := l.Write(request); err != nil {
		return Answer{}, err
	}
	return l.Answer()
}

// Answer reads the answer to a request that has been written.
func (l *Link) Answer() (Answer, error) {
	response, err := http.ReadResponse(l.answers, nil)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	got := Answer{Status: response.StatusCode, Header: response.Header}
	if got.Status != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 1000))
		got.Text = string(text)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return got, err
}

// OK sends a request that has to be answered with 200.
func (l *Link) OK(request []byte) error { return l.expect(request, http.StatusOK) }

func (l *Link) expect(request []byte, status int) error {
	got, err := l.Do(request)
	if err == nil && got.Status != status {
		target, _, _ := strings.Cut(string(request), " HTTP/")
		err = fmt.Errorf("%s was answered with %d instead of %d: %s", target, got.Status, status, got.Text)
	}
	return err
}

// Expect makes a request on a connection of its own that has to be answered with the status.
func Expect(ctx context.Context, address string, request []byte, status int) error {
	l, err := Dial(ctx, address)
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }()
	return l.expect(request, status)
}

// Once makes a request on a connection of its own.
func Once(ctx context.Context, address string, request []byte) (Answer, error) {
	l, err := Dial(ctx, address)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = l.Close() }()
	return l.Do(request)
}
