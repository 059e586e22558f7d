package service

import (
	"context"
	"errors"
	"runtime/trace"
	"testing"
	"time"

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

// A profile in progress neither delays the end of an instance nor makes it a failure, and is cut off when everything else has
// ended.
func TestProfiles_endDoesNotWait(t *testing.T) {
	t.Parallel()
	const profile = time.Minute // as long as the server allows
	closed := make(chan error, 1)
	r := start(t, Spec{
		Config: Config{ShutdownTimeout: profile}, Listeners: append(profiles("127.0.0.1:0"), public(hello)),
		Close: []func(context.Context) error{func(ctx context.Context) error {
			select {
			case err := <-closed:
				closed <- err
				return errors.New("the profile was cut off before everything else had ended")
			default:
				return nil
			}
		}},
	})
	go func() {
		_, err := r.try(t.Context(), ProfilesListener, "/debug/pprof/trace?seconds=60")
		closed <- err
	}()
	require.Eventually(t, trace.IsEnabled, time.Minute, time.Millisecond, "the profile is being taken")
	began := time.Now()
	require.NoError(t, r.stop())
	require.Less(t, time.Since(began), profile/4)
	require.Error(t, <-closed)
	require.Eventually(t, func() bool { return !trace.IsEnabled() }, time.Minute, time.Millisecond, "it has ended")
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
