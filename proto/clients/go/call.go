package sellerapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
)

// CallOption configures one call.
type CallOption func(*call)

// Key sets the Idempotency-Key of a process call: 1 to 200 characters, the same for every repetition of the same request,
// and a new one for every other request. Reads ignore it.
func Key(key string) CallOption { return func(c *call) { c.key, c.keyGiven = key, true } }

// RequestID sets the X-Request-Id: 1 to 64 characters of A-Z a-z 0-9 . _ -.
func RequestID(id string) CallOption { return func(c *call) { c.requestID = id } }

// RecoverExpired recovers a process call whose key has expired (410): the client reads the order or claim; if it is in
// the wanted state, the call has succeeded, otherwise the client sends the request once more with a new key. A batch and
// an answer to an inquiry are sent again without reading: what was done already counts as done there.
func RecoverExpired() CallOption { return func(c *call) { c.recoverExpired = true } }

// Capture stores the metadata of the call's last response, also of a failure.
func Capture(into *ResponseInfo) CallOption { return func(c *call) { c.capture = into } }

// call is one request, sent once or several times.
type call struct {
	operation
	address        string
	query          url.Values
	body           []byte
	key            string
	keyGiven       bool
	requestID      string
	recoverExpired bool
	capture        *ResponseInfo
}

// newCall returns the call of an operation. If body is nil, none is sent.
func (c *Client) newCall(op operation, identifier string, query url.Values, body any, options []CallOption) (*call, error) {
	address, err := op.address(identifier)
	if err != nil {
		return nil, err
	}
	made := &call{operation: op, address: address, query: query}
	for _, option := range options {
		option(made)
	}
	if err := made.checkTexts(identifier, body); err != nil {
		return nil, err
	}
	if body != nil {
		if made.body, err = json.Marshal(body); err != nil {
			return nil, fmt.Errorf("%s: %w", op.name, err)
		}
	}
	switch {
	case op.method == http.MethodGet:
		made.key = ""
	case !made.keyGiven:
		made.key = c.newKey()
	}
	if strings.ContainsFunc(made.key+made.requestID, unicode.IsControl) {
		return nil, fmt.Errorf("%s: control characters in the idempotency key or the request id", op.name)
	}
	return made, nil
}

// send sends the call until it has a final response, or retries are exhausted.
func (c *Client) send(ctx context.Context, made *call) (answer, error) {
	for attempt := 1; ; attempt++ {
		got, err := c.try(ctx, made, attempt)
		if made.capture != nil {
			*made.capture = got.info
		}
		if err == nil {
			return got, nil
		}
		wait, again := c.retry.pause(err, attempt, c.random)
		if !again || ctx.Err() != nil {
			return answer{}, err
		}
		if ended := c.clock.Wait(ctx, wait); ended != nil {
			return answer{}, errors.Join(err, ended)
		}
	}
}

func (c *Client) try(ctx context.Context, made *call, attempt int) (answer, error) {
	unanswered := func(err error) error {
		return &UnansweredError{Operation: made.name, IdempotencyKey: made.key, Attempts: attempt, Err: err}
	}
	request, err := c.request(ctx, made)
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w", made.name, err)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return answer{info: infoOf(&http.Response{}, made.key, attempt)}, unanswered(err)
	}
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // it was read to its end, or its error is already known
	got := answer{info: infoOf(response, made.key, attempt)}
	if err != nil {
		return got, unanswered(err)
	}
	if response.StatusCode != http.StatusOK {
		return got, got.refusal(made, text, c.clock.Now(), response.Header)
	}
	if err := got.read(text); err != nil {
		return got, unanswered(err)
	}
	return got, nil
}

func (c *Client) request(ctx context.Context, made *call) (*http.Request, error) {
	target := c.base + made.address
	if len(made.query) > 0 {
		target += "?" + made.query.Encode() // a plus sign becomes %2B
	}
	var body io.Reader
	if made.body != nil {
		body = strings.NewReader(string(made.body))
	}
	request, err := http.NewRequestWithContext(ctx, made.method, target, body)
	if err != nil {
		return nil, err
	}
	c.authorize(request.Header)
	setHeader(request.Header, "Accept", "application/json")
	setHeader(request.Header, "User-Agent", c.userAgent)
	setHeader(request.Header, "Accept-Language", c.language)
	setHeader(request.Header, "X-Request-Id", made.requestID)
	if made.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if made.method != http.MethodGet {
		request.Header.Set("Idempotency-Key", made.key)
	}
	return request, nil
}

func setHeader(header http.Header, name, value string) {
	if value != "" {
		header.Set(name, value)
	}
}

func read[T any](ctx context.Context, c *Client, op operation, identifier string, query url.Values,
	options []CallOption,
) (T, error) {
	var result T
	made, err := c.newCall(op, identifier, query, nil, options)
	if err != nil {
		return result, err
	}
	got, err := c.send(ctx, made)
	if err != nil {
		return result, err
	}
	return result, got.decode(&result, made)
}

// process performs a process call from start to finish. reached reads the resource and reports whether it is in the
// wanted state, for a key that has expired; it is nil if reading cannot tell.
func process[T any](ctx context.Context, c *Client, op operation, identifier string, body any,
	reached func(context.Context) (T, bool, error), options []CallOption,
) (T, error) {
	var result T
	made, err := c.newCall(op, identifier, nil, body, options)
	if err != nil {
		return result, err
	}
	got, err := c.send(ctx, made)
	if made.recoverExpired && CodeOf(err) == CodeIdempotencyResultExpired {
		if reached != nil {
			found, there, err := reached(ctx)
			if err != nil || there {
				return found, err
			}
		}
		made.key = c.newKey()
		got, err = c.send(ctx, made)
	}
	if err != nil {
		return result, err
	}
	return result, got.decode(&result, made)
}

// ResponseInfo is the metadata of a response. Numbers are -1 if the response did not have them.
type ResponseInfo struct {
	// Status is the HTTP status; zero if there was no response.
	Status int
	// RequestID identifies the request in the server's log.
	RequestID string
	// IdempotencyKey is the key that was sent; empty for reads.
	IdempotencyKey string
	// Replayed reports whether this is the stored first response to the key.
	Replayed bool
	// Attempts is how many times the request was sent.
	Attempts int
	// Limit and Remaining are how many calls of this kind the key has in 60 seconds, and how many are left.
	Limit, Remaining int
	// RowsLimit and RowsRemaining are the same for the rows of reads.
	RowsLimit, RowsRemaining int
	// NotHeld reports that the server did not hold a call with Wait, because it holds as many as it can.
	NotHeld bool
	// Date is the server's clock, in seconds; zero when unknown.
	Date time.Time
}
