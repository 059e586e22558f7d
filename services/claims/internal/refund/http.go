package refund

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/claims/internal/claim"
)

// The attempts within one call, and the pauses between them. All attempts together take less time than the pause after which the
// refund is requested again.
const (
	tries          = 3
	pauseFirst     = 100 * time.Millisecond
	pauseMax       = 500 * time.Millisecond
	dialTimeout    = time.Second
	maxAnswerBytes = 64 << 10
)

type httpProvider struct {
	url     string
	key     []byte
	timeout time.Duration
	client  *http.Client
	retries failsafe.Executor[Result]
}

var (
	errURL  = errors.New("REFUND_PROVIDER_URL is not an HTTP URL")
	errKeys = errors.New("REFUND_PROVIDER_KEYS is missing")
)

func newHTTP(config Config) (*httpProvider, error) {
	address, err := url.Parse(config.URL)
	switch {
	case err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https"):
		return nil, errURL
	case config.Keys.IsZero():
		return nil, fmt.Errorf("%w: %w", errKeys, secret.ErrNoKeys)
	}
	defaults.Fill(&config)
	// Any answer of the provider ends the attempts; only a missing answer is retried.
	policy := retrypolicy.NewBuilder[Result]().WithMaxAttempts(tries).WithBackoff(pauseFirst,
		pauseMax).WithJitterFactor(0.5).ReturnLastFailure().Build()
	return &httpProvider{
		url: address.String(), key: config.Keys.Current(), timeout: config.Timeout,
		client: &http.Client{
			Transport: &http.Transport{
				DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
				TLSHandshakeTimeout: dialTimeout,
				MaxIdleConnsPerHost: 8,
				IdleConnTimeout:     time.Minute,
			},
			// A redirect would send a signed payment order to another host.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		retries: failsafe.With(policy),
	}, nil
}

// Refund implements Provider.
func (p *httpProvider) Refund(ctx context.Context, r Request) (Result, error) {
	body, err := json.Marshal(wireRequest{
		RefundID: r.ID.String(), ClaimNo: r.ClaimNo, OrderNo: r.OrderNo, SellerID: r.SellerID.String(), Kind: r.Kind, Amount: r.Amount,
		Points: r.Points,
	})
	if err != nil {
		return Result{}, fmt.Errorf("request a refund: %w", err)
	}
	result, err := p.retries.WithContext(ctx).Get(func() (Result, error) { return p.try(ctx, r.ID.String(), body) })
	if err != nil {
		return Result{}, fmt.Errorf("request a refund: %w", err)
	}
	return result, nil
}

// Close implements Provider.
func (p *httpProvider) Close() { p.client.CloseIdleConnections() }

// wireRequest and wireResult are the request and response bodies.
type wireRequest struct {
	RefundID string           `json:"refund_id"`
	ClaimNo  string           `json:"claim_no"`
	OrderNo  string           `json:"order_no"`
	SellerID string           `json:"seller_id"`
	Kind     claim.RefundKind `json:"kind"`
	Amount   int64            `json:"amount"`
	Points   int64            `json:"points"`
}

type wireResult struct {
	Status    string `json:"status"`
	Reference string `json:"reference"`
}

var words = map[string]claim.RefundTrigger{
	"succeeded": claim.Succeed, "accepted": Accepted, "failed": claim.Failure, "needs_account": claim.NeedAccount,
}

func (p *httpProvider) try(ctx context.Context, id string, body []byte) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return Result{}, err
	}
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", id)
	request.Header.Set("X-Refund-Timestamp", stamp)
	request.Header.Set("X-Refund-Signature", "v1="+Sign(p.key, stamp, body))
	response, err := p.client.Do(request)
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
	if err != nil {
		return Result{}, err
	}
	return readResult(response.StatusCode, answer)
}

func readResult(status int, answer []byte) (Result, error) {
	var said wireResult
	decoded := json.Unmarshal(answer, &said)
	switch status {
	case http.StatusBadRequest, http.StatusPaymentRequired, http.StatusUnprocessableEntity:
		return Result{Trigger: claim.Failure, Reference: said.Reference}, nil
	case http.StatusOK, http.StatusCreated, http.StatusAccepted:
	default:
		return Result{}, fmt.Errorf("the provider answered %d", status)
	}
	trigger, known := words[said.Status]
	switch {
	case decoded != nil:
		return Result{}, fmt.Errorf("the provider's response cannot be decoded: %w", decoded)
	case !known:
		return Result{}, fmt.Errorf("the provider answered with the unknown status %q", said.Status)
	}
	return Result{Trigger: trigger, Reference: said.Reference}, nil
}

// Sign returns the signature of a request: hexadecimal HMAC-SHA-256 over timestamp, a dot and the body.
func Sign(key []byte, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(timestamp + "."))
	_, _ = mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
