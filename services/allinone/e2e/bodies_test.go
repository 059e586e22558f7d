package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/allinone/stack/stacktest"
)

// A body that does not come is given up, and the same request under the same key is as good as new.
func TestBody_408(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	order := s.PlaceNew(t, seller.ID)
	path, key := "/open/v1/orders/"+order.GetOrderNo()+"/preparation", uuid.NewString()
	call := stacktest.PostJSON(t, seller.Key, path, map[string]any{"item_ids": []string{order.GetSellers()[0].GetLines()[0].GetItemId()}})
	call.Header = http.Header{"Idempotency-Key": {key}}
	for _, size := range []int{len(call.Body), 100 << 10} {
		half := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: gateway\r\nX-Api-Key: %s\r\nIdempotency-Key: %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n{", path, seller.Key, key, size)
		var envelope web.Envelope
		stacktest.Await(t, "an answer of limits that could be checked", func() bool {
			envelope = halfSent(t, s, half)
			return envelope.Meta.Code != http.StatusServiceUnavailable
		})
		require.Equal(t, http.StatusRequestTimeout, envelope.Meta.Code)
		require.Nil(t, envelope.Meta.ErrorCode)
	}
	require.Equal(t, http.StatusOK, s.Do(t, call).Status)
}

// halfSent sends part of a request on a connection of its own, and returns the answer to it.
func halfSent(t *testing.T, s *stacktest.Stack, text string) web.Envelope {
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
	var envelope web.Envelope
	require.NoError(t, json.NewDecoder(response.Body).Decode(&envelope))
	require.Equal(t, envelope.Meta.Code, response.StatusCode)
	return envelope
}
