package bench

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
)

type settings map[string]string

func (s settings) environ() []string {
	all := make([]string, 0, len(s))
	for _, name := range slices.Sorted(maps.Keys(s)) {
		all = append(all, name+"="+s[name])
	}
	return all
}

// neverMet are limits of the gateway that are checked as usual but never reached.
var neverMet = settings{
	"RATE_WINDOW": "1s", "RATE_READ": "100000", "RATE_PROCESS": "100000", "RATE_ROWS": "10000000", "RATE_TIMEOUT": "10s",
	"KEYS_PER_SELLER": "active=5,daily=1000",
}

// services lists all services in the order of their start: claims calls orders, and the gateway calls all of them.
var services = func() []string {
	parties := append(trust.Services(), trust.Gateway)
	names := make([]string, 0, len(parties))
	for _, party := range parties {
		names = append(names, string(party))
	}
	return names
}()

func (s *system) settingsOf(name string) (settings, error) {
	all, err := s.chart.pod(name)
	if err != nil {
		return nil, err
	}
	database, err := withRole(s.databaseURL, name)
	if err != nil {
		return nil, err
	}
	ports := s.ports[name]
	maps.Copy(all, settings{
		"LISTEN":       service.Listen{Public: ports.public, RPC: ports.rpc, Ops: ports.ops}.String(),
		"DATABASE_URL": database, "TRUSTED_KEYS": s.trusted, "SIGNING_KEY": s.secrets.Private[trust.Party(name)].Reveal(),
		"OTEL_EXPORTER_OTLP_ENDPOINT": s.collector,
	})
	own := map[string]settings{
		"gateway": s.gatewaySettings(),
		"claims":  {"ENVIRONMENT": "test", "UPSTREAMS": "orders=http://" + s.ports["orders"].rpc},
	}
	if name != "gateway" {
		all["CURSOR_KEYS"] = s.secrets.Cursor.Reveal()
	}
	maps.Copy(all, own[name])
	return all, nil
}

func (s *system) gatewaySettings() settings {
	all := s.chart.gateway()
	maps.Copy(all, neverMet)
	maps.Copy(all, settings{
		"ENVIRONMENT": "test", "KEY_PEPPER": s.secrets.KeyPepper.Reveal(),
		"KEY_ENCRYPTION_KEYSET": s.secrets.KeyKeyset.Reveal(), "REDIS_URL": s.redisURL,
	})
	var upstreams, clocks []string
	for _, behind := range services {
		address := s.ports[behind].public
		if s.behind != "" {
			address = s.behind
		}
		if behind != "gateway" && address != "" {
			upstreams = append(upstreams, behind+"=http://"+address)
		}
		if rpc := s.ports[behind].rpc; behind != "gateway" && s.behind == "" && rpc != "" {
			clocks = append(clocks, behind+"=http://"+rpc)
		}
	}
	all["UPSTREAMS"], all["CLOCK_UPSTREAMS"] = strings.Join(upstreams, ","), strings.Join(clocks, ",")
	return all
}

func withRole(database, service string) (string, error) {
	address, err := url.Parse(database)
	if err != nil {
		return "", errDatabase
	}
	query := address.Query()
	query.Set("role", service+"_service")
	address.RawQuery = query.Encode()
	return address.String(), nil
}
