package rpc_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
)

// A service that records refused calls gets the caller and the procedure before the caller has the response; the handler is not
// called.
func TestRefusal_recorded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		caller, procedure, body string
		status                  int
		message                 any
	}{
		"caller without permission": {"kim", say, `"hello"`, http.StatusForbidden, "hello"},
		"procedure without a row":   {"claims", unlisted, `"hello"`, http.StatusForbidden, "hello"},
		"malformed message":         {"kim", say, `{"unclosed`, http.StatusBadRequest, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told := make(chan rpc.Refusal, 2)
			s := serve(t, func(context.Context, *text) (*text, error) {
				panic("called without permission")
			}, func(s *setup) {
				s.recorders = []rpc.Recorder{func(_ context.Context, refused rpc.Refusal) { told <- refused }}
			})
			header := http.Header{"Content-Type": {"application/json"}}
			header.Set("Authorization", "Bearer "+rpctest.Token(t, c.caller, "orders"))
			require.Equal(t, c.status, s.post(t, c.procedure, c.body, header).status)
			refused := <-told
			require.Empty(t, told, "once")
			require.Equal(t, [2]string{c.caller, c.procedure}, [2]string{refused.Caller, refused.Procedure})
			message, _ := refused.Message.(*text)
			require.Equal(t, c.message == nil, message == nil)
			if message != nil {
				require.Equal(t, c.message, message.GetValue())
			}
		})
	}
}

// A call that succeeds or has no credential is not recorded.
func TestRefusal_othersAreNotRecorded(t *testing.T) {
	t.Parallel()
	s := serve(t, echo, func(s *setup) {
		s.recorders = []rpc.Recorder{func(_ context.Context, refused rpc.Refusal) { panic(refused) }}
	})
	_, err := s.call(t, "hello")
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, s.post(t, say, `"hello"`, http.Header{"Content-Type": {"application/json"}}).status)
}
