package e2e

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/gateway"
)

// A call that waits is answered as soon as something changes, with what changed.
func TestWait_answeredOnChange(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	begin := s.Client(seller.ID).List(t, "10", "after", "beginning")
	answered := make(chan stacktest.Answer, 1)
	began := time.Now()
	go func() {
		answered <- s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", "after", begin.After, "wait", "25"))
	}()
	s.PlaceMany(t, 1, seller.ID)
	page := stacktest.RequireOK[stacktest.Page[stacktest.Order]](t, <-answered)
	require.Len(t, page.List, 1)
	require.Less(t, time.Since(began), 20*time.Second)
}

// A call whose time is over is an empty page with the same position.
func TestWait_timeIsOver(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	s.PlaceMany(t, 2, seller.ID)
	client := s.Client(seller.ID)
	all := client.List(t, "10", "after", "beginning")
	began := time.Now()
	answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", "after", all.After, "wait", "2"))
	require.GreaterOrEqual(t, time.Since(began), 2*time.Second)
	require.Empty(t, answer.Header.Get("X-Wait"))
	page := stacktest.RequireOK[stacktest.Page[stacktest.Order]](t, answer)
	require.Equal(t, stacktest.Page[stacktest.Order]{List: []stacktest.Order{}, After: all.After}, page)
}

// held sends a call that waits to a gateway of one place, and returns once it is held.
func held(t *testing.T, s *stacktest.Stack, key, after string) <-chan stacktest.Answer {
	t.Helper()
	answered := make(chan stacktest.Answer, 1)
	go func() {
		answered <- s.Do(t, stacktest.Get(key, "/open/v1/qna", "after", after, "wait", "25"))
	}()
	require.Eventually(t, func() bool {
		return strings.Contains(metricsOf(t, s.MetricsURLs["gateway"]), "\nheld_calls 1\n")
	}, time.Minute, 10*time.Millisecond)
	return answered
}

func metricsOf(t *testing.T, address string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(body)
}

// A gateway whose places are taken answers at once and says so. When it stops, the call that it holds ends with its position.
func TestWait_placesAndStop(t *testing.T) {
	t.Parallel()
	shared := stacktest.Use(t)
	s, stop := shared.ThroughUntil(t, func(config *gateway.Config) { config.Held.Max = new(1) })
	seller := s.Seller(t)
	empty := s.Do(t, stacktest.Get(seller.Key, "/open/v1/qna", "after", "beginning"))
	position := stacktest.RequireOK[stacktest.Page[stacktest.Inquiry]](t, empty).After
	first := held(t, s, seller.Key, position)
	other := s.Do(t, stacktest.Get(s.Seller(t).Key, "/open/v1/qna", "after", "beginning", "wait", "25"))
	require.Equal(t, "0", other.Header.Get("X-Wait"))
	stop()
	ended := stacktest.RequireOK[stacktest.Page[stacktest.Inquiry]](t, <-first)
	require.Equal(t, stacktest.Page[stacktest.Inquiry]{List: []stacktest.Inquiry{}, After: position}, ended)
}

// wait is refused without after, and outside of 1 to 25 seconds.
func TestWait_refused(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for _, query := range [][]string{{"wait", "5"}, {"after", "beginning", "wait", "0"}, {"after", "beginning", "wait", "26"}} {
		answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/claims", query...))
		require.Equal(t, http.StatusUnprocessableEntity, answer.Status)
		stacktest.RequireInvalid(t, answer, "query.wait")
	}
}
