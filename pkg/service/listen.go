package service

import (
	"errors"
	"strings"
)

// Listen has the addresses of the ports of a service. An empty one means a free port on all interfaces.
type Listen struct{ Public, RPC, Ops string }

// errListen says that the addresses are not valid.
var errListen = errors.New("expected public=ADDRESS,rpc=ADDRESS,ops=ADDRESS")

// UnmarshalText parses "public=:8080,rpc=:8081,ops=:9090"; all three are required.
func (l *Listen) UnmarshalText(text []byte) error {
	values, err := readNamed(string(text), []string{"public", "rpc", OpsListener})
	if err != nil || len(values) < 3 {
		return errListen
	}
	*l = Listen{Public: values["public"], RPC: values["rpc"], Ops: values[OpsListener]}
	return nil
}

// String returns the form that UnmarshalText parses.
func (l Listen) String() string {
	return strings.Join([]string{"public=" + l.Public, "rpc=" + l.RPC, OpsListener + "=" + l.Ops}, ",")
}
