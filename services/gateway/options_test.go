package gateway_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/web"
)

// Every response is an envelope, even to a request for which net/http has a response of its own.
func TestOptions_asteriskIsTheEnvelope(t *testing.T) {
	t.Parallel()
	address := start(t, config(t))["public"]
	for _, method := range []string{http.MethodOptions, http.MethodGet} {
		connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = connection.Close() })
		_, err = io.WriteString(connection, method+" * HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n")
		require.NoError(t, err)
		answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
		require.NoError(t, err)
		var envelope web.Envelope
		require.NoError(t, json.NewDecoder(answer.Body).Decode(&envelope), method)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusNotFound, answer.StatusCode, method)
		require.Equal(t, http.StatusNotFound, envelope.Meta.Code, method)
		require.Nil(t, envelope.Meta.ErrorCode, method)
	}
}
