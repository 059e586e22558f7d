package redis

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/secret"
)

// Config is how a service reaches Redis. Zero values stand for the defaults in
// the tags.
type Config struct {
	URL              secret.Text `name:"redis-url" env:"REDIS_URL" required:"" help:"redis://[user:password@]host:port[,host:port…]/[database], rediss:// for TLS. Several hosts are the seeds of a cluster, or the sentinels when a master is named."`
	Cluster          bool        `name:"redis-cluster" env:"REDIS_CLUSTER" help:"The server is a cluster although the URL names one host only."`
	SentinelMaster   string      `name:"redis-sentinel-master" env:"REDIS_SENTINEL_MASTER" help:"Name of the master; the hosts of the URL are then its sentinels."`
	SentinelPassword secret.Text `name:"redis-sentinel-password" env:"REDIS_SENTINEL_PASSWORD" help:"Password of the sentinels, when they have one."`
	PoolSize         int         `name:"redis-pool-size" env:"REDIS_POOL_SIZE" default:"64" help:"Most connections of this process, in a cluster to each node."`

	// ReadTimeout is the time for one answer; 0 means the one second that opening a connection and waiting for a free one
	// may take as well. Callers that cannot wait so long have deadlines of their own.
	ReadTimeout time.Duration `kong:"-"`
}

// timeout is the time for everything that a client does on a connection.
const timeout = time.Second

// options translates the configuration for the client library.
func (c Config) options(clientName string) (*redis.UniversalOptions, error) {
	defaults.Fill(&c)
	answer := cmp.Or(c.ReadTimeout, timeout)
	first, hosts, err := c.servers()
	if err != nil {
		return nil, err
	}
	options := &redis.UniversalOptions{
		Addrs: hosts, ClientName: clientName, DB: first.DB, TLSConfig: first.TLSConfig,
		Username: first.Username, Password: first.Password,
		IsClusterMode: c.Cluster, MasterName: c.SentinelMaster, SentinelPassword: c.SentinelPassword.Reveal(),
		PoolSize: c.PoolSize, PoolTimeout: timeout, PipelinePoolSize: -1,
		DialTimeout: timeout, ReadTimeout: answer, WriteTimeout: answer,
		ContextTimeoutEnabled:    true,
		MaxRetries:               -1,
		DialerRetries:            1,
		DisableIdentity:          true, // one round trip less for each connection
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
	if options.TLSConfig != nil {
		options.TLSConfig.ServerName = "" // each host is verified under its own name
	}
	return options, nil
}

// errURL says that the URL cannot be read; the text of it, with the password, is
// left out.
var errURL = errors.New("the Redis URL cannot be read: expected redis://user:password@host:port/database")

// servers reads the URL: its hosts, and everything else as if there were only the
// first. The standard parser knows no lists of hosts.
func (c Config) servers() (*redis.Options, []string, error) {
	scheme, rest, found := strings.Cut(c.URL.Reveal(), "://")
	if !found || strings.ContainsAny(rest, "?#") {
		return nil, nil, errURL
	}
	authority, path, _ := strings.Cut(rest, "/")
	login := authority[:strings.LastIndex(authority, "@")+1]
	hosts := strings.Split(authority[len(login):], ",")
	var first *redis.Options
	for i, host := range hosts {
		one, err := redis.ParseURL(scheme + "://" + login + host + "/" + path)
		if err != nil || host == "" {
			return nil, nil, errURL
		}
		if i == 0 {
			first = one
		}
		hosts[i] = one.Addr
	}
	if first.DB != 0 && (c.Cluster || len(hosts) > 1) && c.SentinelMaster == "" {
		return nil, nil, fmt.Errorf("a Redis cluster has no database %d", first.DB)
	}
	return first, hosts, nil
}
