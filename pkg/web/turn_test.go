package web

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

// While as many large bodies are worked on as may be, one more waits, no longer than its call, and a small one does not.
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

// The names of an object are remembered, so there is an end to them; what is large for other reasons is read.
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
		"as many as may be": {object(maxMembers, 300), false},
		"one more":          {object(maxMembers+1, 300), true},
		"deep inside":       {[]byte(`{"items":[{"a":` + string(object(maxMembers+1, 300)) + `}]}`), true},
		"many objects":      {[]byte(`{"items":[` + strings.Repeat(`{"a":1,"b":2},`, 30_000) + `{}]}`), false},
		"small":             {object(maxMembers+1, 1), false},
		"broken":            {append(object(maxMembers, 300), '}'), false},
	} {
		require.Equal(t, c.crowded, crowded(c.body), name)
		read := &sink{}
		parseBody(c.body, read)
		require.Equal(t, c.crowded || name == "broken", read.Err() != nil, name)
	}
}
