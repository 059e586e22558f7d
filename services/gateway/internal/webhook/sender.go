package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/timestamp"
)

const (
	// sendTimeout limits a delivery from the resolution of the name to the end of the answer.
	sendTimeout = 10 * time.Second
	// claimTime is how long a claim lasts. The margin is for what comes before and after the delivery.
	claimTime = 3 * sendTimeout
	// maxHeaderBytes and maxAnswerBytes are how much of the headers and of the body of an answer is read. Receivers behind some
	// proxies send tens of kilobytes of cookies and policies.
	maxHeaderBytes, maxAnswerBytes = 64 << 10, 4 << 10
)

// Sender makes deliveries. It is safe for concurrent use.
type Sender struct {
	client  *http.Client
	timeout time.Duration
}

// NewSender returns a sender that connects to allowed addresses only.
func NewSender(addresses Addresses) *Sender {
	dialer := &net.Dialer{Timeout: sendTimeout, Control: addresses.control}
	return &Sender{timeout: sendTimeout, client: &http.Client{
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: sendTimeout, MaxResponseHeaderBytes: maxHeaderBytes,
			DisableKeepAlives:  true, // each delivery resolves the name again, and idle receivers cost nothing
			DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// message is the body of a delivery, in the form of the Standard Webhooks specification.
type message struct {
	Type      Type   `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      Moved  `json:"data"`
}

// send makes one delivery and returns what became of it.
func (s *Sender) send(ctx context.Context, url string, secrets Secrets, kind Type, moved Moved) (Delivery, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Delivery{}, err
	}
	now := time.Now()
	body, err := json.Marshal(message{Type: kind, Timestamp: timestamp.Format(now), Data: moved})
	if err != nil {
		return Delivery{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return Delivery{}, err
	}
	if err := sign(request.Header, id.String(), now, body, secrets); err != nil {
		return Delivery{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "seller-open-api-webhooks")
	delivery := Delivery{ID: id, Type: kind}
	delivery.Status, err = s.status(request)
	if err != nil {
		delivery.Failure = failure(err)
	}
	delivery.Took = time.Since(now)
	return delivery, nil
}

// status sends a request and returns the status of the answer, of which it reads a little.
func (s *Sender) status(request *http.Request) (int, error) {
	answer, err := s.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswerBytes)
	return answer.StatusCode, nil
}

// failure returns what a seller is told about an error. The error itself could tell addresses of the cluster.
func failure(err error) string {
	var lookup *net.DNSError
	switch {
	case errors.Is(err, errAddress):
		return errAddress.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer within 10 seconds"
	case errors.As(err, &lookup):
		return "the name could not be resolved"
	case isTLS(err):
		return "the certificate was not accepted, or TLS failed"
	default:
		return "no connection, or it was closed before an answer"
	}
}

// isTLS reports whether the certificate of the receiver was refused, or the handshake failed.
func isTLS(err error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	return errors.As(err, &certificate) || errors.As(err, &record) || errors.As(err, &alert)
}
