package service

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Profiles are served where they have an address, and nowhere else.
func TestProfiles_onlyWithAddress(t *testing.T) {
	t.Parallel()
	require.Empty(t, profiles(""))
	r := start(t, Spec{Listeners: profiles("127.0.0.1:0")})
	require.Contains(t, r.get(t, ProfilesListener, "/debug/pprof/").body, "goroutine")
	require.NotEmpty(t, r.get(t, ProfilesListener, "/debug/pprof/heap").body)
	require.NoError(t, r.stop())
}

// The address of profiles may be left out.
func TestListen_readsWhatItWrites(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"public=:1,rpc=:2,ops=:3", "public=:1,rpc=:2,ops=:3,profiles=127.0.0.1:6060"} {
		var listen Listen
		require.NoError(t, listen.UnmarshalText([]byte(text)))
		require.Equal(t, text, listen.String())
	}
}
