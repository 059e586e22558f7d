package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/e2e/stacktest"
)

// Reading a body that does not arrive times out, for every operation.
func TestBody_408OfEveryOperation(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for _, operation := range operations {
		if operation.processes() {
			t.Run(operation.name, func(t *testing.T) {
				t.Parallel()
				call := operation.call(seller.Key, "N", uuid.NewString())
				requireTooSlow(t, s, call.Path, seller.Key, uuid.NewString(), 100)
			})
		}
	}
}

// After a 408, the same request with the same idempotency key is processed like a new one.
func TestBody_408AndAgain(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	order := s.PlaceNew(t, seller.ID)
	path, key := "/open/v1/orders/"+order.GetOrderNo()+"/preparation", uuid.NewString()
	call := stacktest.PostJSON(t, seller.Key, path,
		map[string]any{"item_ids": []string{order.GetSellers()[0].GetLines()[0].GetItemId()}})
	call.Header = http.Header{"Idempotency-Key": {key}}
	for _, size := range []int{len(call.Body), 100 << 10} {
		requireTooSlow(t, s, path, seller.Key, key, size)
	}
	require.Equal(t, http.StatusOK, s.Do(t, call).Status)
}

// requireTooSlow sends the first byte of a body of this size and waits for the 408 for the missing rest.
func requireTooSlow(t *testing.T, s *stacktest.Stack, path, apiKey, key string, size int) {
	t.Helper()
	half := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: gateway\r\nX-Api-Key: %s\r\nIdempotency-Key: %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n{", path, apiKey, key, size)
	var envelope web.Envelope
	stacktest.Await(t, "an answer of limits that could be checked", func() bool {
		envelope = halfSent(t, s, path, half)
		return envelope.Meta.Code != http.StatusServiceUnavailable
	})
	require.Equal(t, http.StatusRequestTimeout, envelope.Meta.Code)
	require.Nil(t, envelope.Meta.ErrorCode)
}

// halfSent sends part of a request on a connection of its own, and returns the envelope of the response.
func halfSent(t *testing.T, s *stacktest.Stack, path, text string) web.Envelope {
	t.Helper()
	status, body := halfAnswered(t, s, path, text)
	var envelope web.Envelope
	require.NoError(t, json.Unmarshal(body, &envelope))
	require.Equal(t, envelope.Meta.Code, status)
	return envelope
}

// halfAnswered is halfSent but returns the response as received, after it was checked against the contract.
func halfAnswered(t *testing.T, s *stacktest.Stack, path, text string) (status int, body []byte) {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.GatewayURL, "http://"))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = conn.Write([]byte(text))
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err = io.ReadAll(response.Body)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.GatewayURL+path, nil)
	require.NoError(t, err)
	contract, err := stacktest.Contract()
	require.NoError(t, err)
	_, err = contract.Check(request, response.StatusCode, response.Header, body)
	require.NoError(t, err)
	stacktest.Record(body)
	return response.StatusCode, body
}
