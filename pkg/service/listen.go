package service

import (
	"errors"
	"strings"
)

// Listen are the addresses of the ports of a service. An empty one is a free port on all interfaces.
type Listen struct{ Public, RPC, Ops string }

// errListen says that a port would be where nothing looks for it.
var errListen = errors.New("expected public=ADDRESS,rpc=ADDRESS,ops=ADDRESS")

// UnmarshalText reads "public=:8080,rpc=:8081,ops=:9090", all three.
func (l *Listen) UnmarshalText(text []byte) error {
	values, err := readNamed(string(text), []string{"public", "rpc", OpsListener})
	if err != nil || len(values) < 3 {
		return errListen
	}
	*l = Listen{Public: values["public"], RPC: values["rpc"], Ops: values[OpsListener]}
	return nil
}

// String is what UnmarshalText reads.
func (l Listen) String() string {
	return strings.Join([]string{"public=" + l.Public, "rpc=" + l.RPC, OpsListener + "=" + l.Ops}, ",")
}
