package redis

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/secret"
)

// Config is how a service reaches Redis. Zero values stand for the defaults in
// the tags.
type Config struct {
	URL      secret.Text `name:"redis-url" env:"REDIS_URL" required:"" help:"redis://[user:password@]host:port[,host:port…]/[database], rediss:// for TLS. Several hosts are the seeds of a cluster; ?cluster=true declares a single host to be one. With ?master_name=NAME the hosts are the sentinels of that master, and sentinel_password=PASSWORD is their password, percent-encoded."`
	PoolSize int         `name:"redis-pool-size" env:"REDIS_POOL_SIZE" default:"64" help:"Maximum number of connections of this process, in a cluster per node."`

	// Authorities are trusted for the certificates of rediss servers. Open takes those of the system when it is nil.
	Authorities *certificate.Authorities `kong:"-"`

	// ReadTimeout is the time for one response; 0 means one second, which is also the time-out for opening a connection and for
	// waiting for a free one. Callers that cannot wait so long set their own deadlines.
	ReadTimeout time.Duration `kong:"-"`

	// IdleTimeout is how long a connection may be unused before it is closed instead of being used again; 0 means ten seconds.
	IdleTimeout time.Duration `kong:"-"`
}

const timeout = time.Second

// idleTimeout is longer than the interval of the readiness probes, which therefore keep one connection open.
const idleTimeout = 10 * time.Second

func (c Config) options(clientName string) (*redis.UniversalOptions, error) {
	defaults.Fill(&c)
	answer := cmp.Or(c.ReadTimeout, timeout)
	to, err := readURL(c.URL.Reveal())
	if err != nil {
		return nil, err
	}
	options := &redis.UniversalOptions{
		Addrs: to.hosts, ClientName: clientName, DB: to.DB, TLSConfig: to.TLSConfig,
		Username: to.Username, Password: to.Password,
		IsClusterMode: to.cluster, MasterName: to.sentinelMaster, SentinelPassword: to.sentinelPassword,
		PoolSize: c.PoolSize, PoolTimeout: timeout, PipelinePoolSize: -1,
		DialTimeout: timeout, ReadTimeout: answer, WriteTimeout: answer, ConnMaxIdleTime: cmp.Or(c.IdleTimeout, idleTimeout),
		ContextTimeoutEnabled:    true,
		MaxRetries:               -1,
		DialerRetries:            1,
		DisableIdentity:          true, // saves a round trip per connection
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
	if options.TLSConfig != nil {
		options.TLSConfig.ServerName = "" // each host is verified under its own name
		options.Dialer = c.dialer(options.TLSConfig)
	}
	return options, nil
}

// dialer returns the dialer of the library, which trusts the authorities as they are at each connection.
func (c Config) dialer(config *tls.Config) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		secured := config.Clone()
		if c.Authorities != nil {
			secured.RootCAs = c.Authorities.Roots()
		}
		return redis.NewDialer(&redis.Options{DialTimeout: timeout, TLSConfig: secured})(ctx, network, address)
	}
}
