package web

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

// While the largest number of large bodies is being processed, another one waits, no longer than its call; a small one does not wait.
func TestInTurn(t *testing.T) {
	t.Parallel()
	for range cap(turns) {
		turns <- struct{}{}
	}
	small, large := false, make(chan error, 1)
	require.NoError(t, InTurn(t.Context(), usualBody, func() { small = true }))
	require.True(t, small)

	ended, end := context.WithCancel(t.Context())
	end()
	err := InTurn(ended, usualBody+1, func() { require.Fail(t, "its turn has not come") })
	require.ErrorIs(t, err, apierr.Unavailable)

	go func() { large <- InTurn(context.WithoutCancel(t.Context()), usualBody+1, func() {}) }()
	for range cap(turns) {
		<-turns
	}
	require.NoError(t, <-large)
}

// The member names of an object are kept in memory, so their number is limited; a body that is large for other reasons is accepted.
func TestCrowded(t *testing.T) {
	t.Parallel()
	object := func(members, valueBytes int) []byte {
		var text strings.Builder
		for n := range members {
			_, _ = fmt.Fprintf(&text, `,"%d":"%s"`, n, strings.Repeat("x", valueBytes))
		}
		return []byte("{" + text.String()[1:] + "}")
	}
	for name, c := range map[string]struct {
		body    []byte
		crowded bool
	}{
		"maximum number of members":           {object(maxMembers, 300), false},
		"one member too many":                 {object(maxMembers+1, 300), true},
		"nested object with too many members": {[]byte(`{"items":[{"a":` + string(object(maxMembers+1, 300)) + `}]}`), true},
		"many small objects":                  {[]byte(`{"items":[` + strings.Repeat(`{"a":1,"b":2},`, 30_000) + `{}]}`), false},
		"too many members in a small body":    {object(maxMembers+1, 1), false},
		"broken":                              {append(object(maxMembers, 300), '}'), false},
	} {
		require.Equal(t, c.crowded, crowded(c.body), name)
		read := &sink{}
		parseBody(c.body, read)
		require.Equal(t, c.crowded || name == "broken", read.Err() != nil, name)
	}
}
