package redis

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/redis/go-redis/v9"
)

// errURL says that the URL cannot be read; the text of it, with the password, is
// left out.
var errURL = errors.New("the Redis URL is invalid: expected redis://user:password@host:port/database, with ?cluster=true or " +
	"?master_name=NAME where applicable")

// target is what a URL names: the servers, and everything else as if there were only the first.
type target struct {
	*redis.Options

	hosts                            []string
	cluster                          bool
	sentinelMaster, sentinelPassword string
}

// readURL reads a URL with one host or several. The standard parser knows no lists of hosts.
func readURL(text string) (target, error) {
	text, query, _ := strings.Cut(text, "?")
	scheme, rest, found := strings.Cut(text, "://")
	if !found || strings.Contains(text+query, "#") {
		return target{}, errURL
	}
	to, err := readQuery(query)
	if err != nil {
		return target{}, err
	}
	authority, path, _ := strings.Cut(rest, "/")
	login := authority[:strings.LastIndex(authority, "@")+1]
	for host := range strings.SplitSeq(authority[len(login):], ",") {
		one, err := redis.ParseURL(scheme + "://" + login + host + "/" + path)
		if err != nil || host == "" {
			return target{}, errURL
		}
		if to.Options == nil {
			to.Options = one
		}
		to.hosts = append(to.hosts, one.Addr)
	}
	if to.DB != 0 && (to.cluster || len(to.hosts) > 1) && to.sentinelMaster == "" {
		return target{}, fmt.Errorf("a Redis cluster has no database %d", to.DB)
	}
	return to, nil
}

// readQuery reads what kind of servers the hosts are. Everything else of a client has a setting of its own or is fixed.
func readQuery(text string) (target, error) {
	values, err := url.ParseQuery(text)
	if err != nil {
		return target{}, errURL
	}
	to := target{
		cluster: values.Get("cluster") == "true", sentinelMaster: values.Get("master_name"),
		sentinelPassword: values.Get("sentinel_password"),
	}
	for _, known := range []string{"cluster", "master_name", "sentinel_password"} {
		values.Del(known)
	}
	if len(values) > 0 || to.cluster && to.sentinelMaster != "" || to.sentinelPassword != "" && to.sentinelMaster == "" {
		return target{}, errURL
	}
	return to, nil
}
