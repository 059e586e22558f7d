package redis

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"sellerapi.dev/pkg/secret"
)

// Config is how a service reaches Redis. Zero values stand for the defaults in
// the tags.
type Config struct {
	URL              secret.Text   `name:"redis-url" env:"REDIS_URL" required:"" help:"redis://[user:password@]host:port[,host:port…]/[database], rediss:// for TLS. Several hosts are the seeds of a cluster, or the sentinels when a master is named."`
	Cluster          bool          `name:"redis-cluster" env:"REDIS_CLUSTER" help:"The server is a cluster although the URL names one host only."`
	SentinelMaster   string        `name:"redis-sentinel-master" env:"REDIS_SENTINEL_MASTER" help:"Name of the master; the hosts of the URL are then its sentinels."`
	SentinelPassword secret.Text   `name:"redis-sentinel-password" env:"REDIS_SENTINEL_PASSWORD" help:"Password of the sentinels, when they have one."`
	PoolSize         int           `name:"redis-pool-size" env:"REDIS_POOL_SIZE" default:"64" help:"Most connections of this process, in a cluster to each node."`
	DialTimeout      time.Duration `name:"redis-dial-timeout" env:"REDIS_DIAL_TIMEOUT" default:"1s" help:"Time to open a connection."`
	ReadTimeout      time.Duration `name:"redis-read-timeout" env:"REDIS_READ_TIMEOUT" default:"1s" help:"Time for one answer."`
	PoolTimeout      time.Duration `name:"redis-pool-timeout" env:"REDIS_POOL_TIMEOUT" default:"1s" help:"Time to wait for a free connection."`
}

// withDefaults returns the configuration with every zero value replaced.
func (c Config) withDefaults() Config {
	if c.PoolSize == 0 {
		c.PoolSize = 64
	}
	for _, timeout := range []*time.Duration{&c.DialTimeout, &c.ReadTimeout, &c.PoolTimeout} {
		if *timeout == 0 {
			*timeout = time.Second
		}
	}
	return c
}

// options translates the configuration for the client library.
func (c Config) options(clientName string) (*redis.UniversalOptions, error) {
	c = c.withDefaults()
	first, hosts, err := c.servers()
	if err != nil {
		return nil, err
	}
	options := &redis.UniversalOptions{
		Addrs: hosts, ClientName: clientName, DB: first.DB, TLSConfig: first.TLSConfig,
		Username: first.Username, Password: first.Password,
		IsClusterMode: c.Cluster, MasterName: c.SentinelMaster, SentinelPassword: c.SentinelPassword.Reveal(),
		PoolSize: c.PoolSize, PoolTimeout: c.PoolTimeout, PipelinePoolSize: -1,
		DialTimeout: c.DialTimeout, ReadTimeout: c.ReadTimeout, WriteTimeout: c.ReadTimeout,
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
