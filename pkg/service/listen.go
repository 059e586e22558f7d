package service

import (
	"errors"
	"strings"
)

// Listen has the addresses of the ports of a service. An empty one means a free port on all interfaces, and an empty one of
// profiles that there are none.
type Listen struct{ Public, RPC, Ops, Profiles string }

var errListen = errors.New("expected public=ADDRESS,rpc=ADDRESS,ops=ADDRESS, and perhaps profiles=ADDRESS")

// UnmarshalText parses "public=:8080,rpc=:8081,ops=:9090,profiles=127.0.0.1:6060"; only the last one may be missing.
func (l *Listen) UnmarshalText(text []byte) error {
	values, err := readNamed(string(text), []string{"public", "rpc", OpsListener, ProfilesListener})
	profiles := values[ProfilesListener]
	if delete(values, ProfilesListener); err != nil || len(values) < 3 {
		return errListen
	}
	*l = Listen{Public: values["public"], RPC: values["rpc"], Ops: values[OpsListener], Profiles: profiles}
	return nil
}

// String returns the form that UnmarshalText parses.
func (l Listen) String() string {
	ports := []string{"public=" + l.Public, "rpc=" + l.RPC, OpsListener + "=" + l.Ops}
	if l.Profiles != "" {
		ports = append(ports, ProfilesListener+"="+l.Profiles)
	}
	return strings.Join(ports, ",")
}
