package rest

import (
	"errors"
	"net/netip"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/address"
	"sellerapi.dev/services/gateway/internal/admission"
)

// maxAddresses is the maximum number of cached addresses over their limit; for any other, Redis is asked.
const maxAddresses = 10_000

// addressLimit limits the calls of an address without a valid key. It is applied only to calls that are refused already, so that
// other calls have no extra cost.
type addressLimit struct {
	admitter *admission.Admitter
	maxCalls int // per window; 0: any number
	refusals prometheus.Counter

	mutex sync.Mutex
	until map[netip.Prefix]time.Time // when the address may call again
}

func newAddressLimit(options Options) *addressLimit {
	return &addressLimit{
		admitter: options.Admitter, maxCalls: options.RefusedCalls, until: map[netip.Prefix]time.Time{},
		refusals: options.Telemetry.Counter(telemetry.AddressRefusals).WithLabelValues(),
	}
}

// limit returns RATE_LIMITED in place of API_KEY_REQUIRED and INVALID_API_KEY when the address has made too many such calls,
// and any other error unchanged. Without Redis there is no limit.
func (l *addressLimit) limit(c *gin.Context, err error) error {
	if err == nil || l.maxCalls == 0 || !errors.Is(err, apierr.APIKeyRequired) && !errors.Is(err, apierr.InvalidAPIKey) {
		return err
	}
	client, _ := netip.ParseAddr(c.ClientIP()) // the zero address has no network
	from, known := address.Network(client)
	if !known {
		return err
	}
	wait := l.remembered(from)
	if wait <= 0 {
		var away error
		if wait, away = l.admitter.CountRefused(c.Request.Context(), from, l.maxCalls); away != nil || wait <= 0 {
			return err
		}
		l.remember(from, wait)
	}
	l.refusals.Inc()
	return l.refusal(wait).Because(err)
}

func (l *addressLimit) refusal(wait time.Duration) *apierr.Error {
	refused := apierr.RateLimited.After(wait)
	return refused.With(map[string]any{
		"limit": "address", "max": l.maxCalls, "window_seconds": int(l.admitter.Window().Seconds()),
		"retry_after": refused.RetryAfterSeconds(),
	})
}

func (l *addressLimit) remembered(from netip.Prefix) time.Duration {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return time.Until(l.until[from])
}

// remember caches the wait of an address if there is space after removing expired entries.
func (l *addressLimit) remember(from netip.Prefix, wait time.Duration) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	now := time.Now()
	if len(l.until) >= maxAddresses {
		for other, until := range l.until {
			if until.Before(now) {
				delete(l.until, other)
			}
		}
	}
	if len(l.until) < maxAddresses {
		l.until[from] = now.Add(wait)
	}
}
