package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"

	"github.com/google/uuid"
)

// get returns a read as it is sent. It accepts compressed responses, as the HTTP libraries of clients do by default.
func get(target, key string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: gzip\r\nX-Api-Key: %s\r\n\r\n", target, key)
}

func post(target, key, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: gzip\r\nX-Api-Key: %s\r\nIdempotency-Key: %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", target, key, uuid.NewString(), len(body), body)
}

type link struct {
	net.Conn
	answers *bufio.Reader
}

func dial(ctx context.Context, gateway string) (*link, error) {
	address, err := url.Parse(gateway)
	if err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address.Host)
	if err != nil {
		return nil, err
	}
	return &link{conn, bufio.NewReaderSize(conn, 64<<10)}, nil
}

// do sends a request and reads its response without decompressing or parsing it, so that the load generator uses as little
// of the machine as possible. Any status except 200 is an error, which ends the measurement.
func (l *link) do(request []byte) error {
	if _, err := l.Write(request); err != nil {
		return err
	}
	response, err := http.ReadResponse(l.answers, nil)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(response.Body, 1000))
		return fmt.Errorf("the gateway responded with %d: %s", response.StatusCode, body)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
