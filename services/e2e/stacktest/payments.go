package stacktest

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"sellerapi.dev/pkg/secret"
)

// Statuses with which the payment provider can be made to answer.
const (
	Paid         = "succeeded"
	PaidLater    = "accepted"
	Failed       = "failed"
	NeedsAccount = "needs_account"
)

// Ways in which the payment provider can be made to fail to answer.
const (
	Down     = "down"
	Silent   = "silent"
	Broken   = "broken"
	Nonsense = "nonsense"
)

var noWords = map[string]http.HandlerFunc{
	Down:     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
	Silent:   func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	Broken:   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	Nonsense: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
}

// Payout is a refund that was requested from the payment provider: Amount is money in the order's currency, Points are points.
type Payout struct {
	RefundID string `json:"refund_id"`
	ClaimNo  string `json:"claim_no"`
	OrderNo  string `json:"order_no"`
	SellerID string `json:"seller_id"`
	Kind     string `json:"kind"`
	Amount   int64  `json:"amount"`
	Points   int64  `json:"points"`
}

// Total returns what the customer gets back, in money and in points.
func (p *Payout) Total() int64 { return p.Amount + p.Points }

// Payments is a test double of the payment provider. It checks that requests are signed, records them, and answers that
// everything is paid unless Tell said otherwise for the claim.
type Payments struct {
	url  string
	keys secret.Keys

	mu    sync.Mutex
	words map[string]string
	asked map[string][]Payout
}

// NewPayments returns a payment system that accepts calls signed with the keys.
func NewPayments(keys secret.Keys) *Payments {
	return &Payments{keys: keys, words: map[string]string{}, asked: map[string][]Payout{}}
}

func openPayments(ctx context.Context) (*Payments, error) {
	key := make([]byte, secret.MinKeyBytes)
	_, _ = rand.Read(key) // never fails
	keys, err := secret.NewKeys(key)
	if err != nil {
		return nil, err
	}
	p := NewPayments(keys)
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p.url = "http://" + port.Addr().String() + "/refunds"
	server := &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(port) }()
	return p, nil
}

// Tell sets the provider's answers for a claim from now on.
func (p *Payments) Tell(claimNo, word string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.words[claimNo] = word
}

// Asked returns the payouts that were requested for a claim, each once, however often it was requested.
func (p *Payments) Asked(claimNo string) []Payout {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked[claimNo])
}

// ServeHTTP answers a request for a refund.
func (p *Payments) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var payout Payout
	if err != nil || !p.isSigned(r.Header, body) || json.Unmarshal(body, &payout) != nil ||
		r.Header.Get("Idempotency-Key") != payout.RefundID {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	word := p.note(payout)
	if noWord := noWords[word]; noWord != nil {
		noWord(w, r)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"status": word, "reference": "P-" + payout.RefundID})
}

func (p *Payments) note(payout Payout) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.asked[payout.ClaimNo], payout) {
		p.asked[payout.ClaimNo] = append(p.asked[payout.ClaimNo], payout)
	}
	if word := p.words[payout.ClaimNo]; word != "" {
		return word
	}
	return Paid
}

func (p *Payments) isSigned(header http.Header, body []byte) bool {
	mac := hmac.New(sha256.New, p.keys.Current())
	_, _ = io.WriteString(mac, header.Get("X-Refund-Timestamp")+".")
	_, _ = mac.Write(body)
	return hmac.Equal([]byte("v1="+hex.EncodeToString(mac.Sum(nil))), []byte(header.Get("X-Refund-Signature")))
}
