package service

import (
	"net/http"
	"net/http/pprof"
	"time"
)

const (
	// ProfilesListener is the name of the listener of profiles in Addresses.
	ProfilesListener = "profiles"
	// profilesWriteTimeout leaves room for a profile of a minute.
	profilesWriteTimeout = 90 * time.Second
)

// profiles returns the listener of /debug/pprof/; none without an address. A profile costs CPU time and reveals data of the
// process, so there is one only where the operator asks for it, on a port of its own that need not be reachable from the
// network. The end of an instance, of which it can take profiles as well, does not wait for one.
func profiles(address string) []Listener {
	if address == "" {
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return []Listener{{Name: ProfilesListener, Addr: address, Handler: mux, WriteTimeout: profilesWriteTimeout, NotAwaited: true}}
}
