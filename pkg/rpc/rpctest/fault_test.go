package rpctest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/rpc/rpctest"
)

// Each fault affects its call only, in the way that its name states.
func TestFault_happensToItsCallOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault    rpctest.Fault
		effects  string
		answered bool
	}{
		"none":                     {rpctest.Fault{}, "body+", true},
		"unreachable":              {rpctest.Fault{Unreachable: true}, "", false},
		"dropped":                  {rpctest.Fault{Drop: true}, "body+", false},
		"sent twice":               {rpctest.Fault{Twice: true}, "body+body+", true},
		"sent twice, then dropped": {rpctest.Fault{Twice: true, Drop: true}, "body+body+", false},
	} {
		var effects, before, after string
		called := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				panic(err)
			}
			effects += string(body) + "+"
			w.Header().Set("X-Kind", "test")
			w.WriteHeader(http.StatusAccepted)
			_, _ = io.WriteString(w, "answer")
		})
		server := httptest.NewServer(rpctest.Around(called, func(r *http.Request, body []byte) rpctest.Fault {
			require.Equal(t, "/call body", r.URL.Path+" "+string(body))
			fault := c.fault
			fault.Before, fault.After = func() { before += "before " + effects }, func() { after += "after " + effects }
			return fault
		}))
		response, err := http.Post(server.URL+"/call", "text/plain", strings.NewReader("body"))
		if c.answered {
			require.NoError(t, err, name)
			answer, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, []any{"answer", http.StatusAccepted, "test"},
				[]any{string(answer), response.StatusCode, response.Header.Get("X-Kind")})
		} else {
			require.Error(t, err, name)
		}
		server.Close()
		require.Equal(t, c.effects, effects, name)
		require.Equal(t, "before ", before, name)
		if c.effects != "" {
			require.Equal(t, "after "+c.effects, after, name)
		}
	}
}
