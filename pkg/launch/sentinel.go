package launch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// SentinelMaster is the name under which sentinels monitor the Redis master.
const SentinelMaster = "main"

// The timeouts of sentinels, as in production: how long a master may be silent before it is considered down, and how long a
// promotion may take. An election without a winner is repeated after twice the latter.
const (
	SentinelSilence = time.Second
	sentinelTimeout = 5 * time.Second
)

// Replica starts a Redis below dir that follows s until it is promoted. It has the password of s.
func (s *Server) Replica(ctx context.Context, dir string) (*Server, error) {
	settings := map[string]string{"replicaof": fmt.Sprintf("%s %d", loopback, s.Port), "masterauth": s.home.password}
	return redisKind.startBeside(ctx, s, dir, Options{Durable: s.options.Durable, Settings: settings})
}

// Sentinels starts count sentinels below dir, which monitor s and promote a replica of it when a majority of them has not
// heard from it for the silence. They have the password of s.
func (s *Server) Sentinels(ctx context.Context, dir string, count int, silence time.Duration) ([]*Server, error) {
	sentinels := make([]*Server, 0, count)
	for n := range count {
		one, err := sentinelKind(s, count/2+1, silence).startBeside(ctx, s, filepath.Join(dir, strconv.Itoa(n)), Options{})
		if err != nil {
			return nil, errors.Join(err, StopAll(sentinels))
		}
		sentinels = append(sentinels, one)
	}
	return sentinels, nil
}

// startBeside runs a server below dir that has the password and the account of another server.
func (k *kind) startBeside(ctx context.Context, other *Server, dir string, options Options) (*Server, error) {
	h, err := openHome(dir, other.home.user, lockTimeout)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", k.name, err)
	}
	if err := h.share(other.home); err != nil {
		h.close()
		return nil, err
	}
	return k.startIn(ctx, h, options)
}

func sentinelKind(master *Server, quorum int, silence time.Duration) *kind {
	return &kind{
		name: "Redis Sentinel", prepare: prepareNothing, url: redisURL, probe: probeRedis, portTaken: redisKind.portTaken,
		onParentDeath: syscall.SIGTERM, stop: redisKind.stop,
		command: func(h *home, port int, _ Options) ([]string, error) {
			program, err := system().redis()
			if err != nil {
				return nil, err
			}
			// A master must be declared before its settings.
			err = h.write("sentinel.conf", fmt.Sprintf(
				"bind %[1]s\nport %[2]d\ndir %[3]s\nrequirepass %[4]s\nsentinel sentinel-pass %[4]s\n"+
					"sentinel monitor %[5]s %[1]s %[6]d %[7]d\nsentinel auth-pass %[5]s %[4]s\n"+
					"sentinel down-after-milliseconds %[5]s %[8]d\nsentinel failover-timeout %[5]s %[9]d\n",
				loopback, port, h.dir, h.password, SentinelMaster, master.Port, quorum, silence.Milliseconds(),
				sentinelTimeout.Milliseconds()))
			return []string{program, h.path("sentinel.conf"), "--sentinel"}, err
		},
	}
}

// Watched returns when each sentinel knows all other sentinels and the given number of replicas, which it needs for a promotion.
func Watched(ctx context.Context, sentinels []*Server, replicas int) error {
	ctx, cancel := context.WithTimeout(ctx, replicationTimeout)
	defer cancel()
	for _, one := range sentinels {
		for _, known := range []struct {
			list  string
			count int
		}{{"SENTINELS", len(sentinels) - 1}, {"REPLICAS", replicas}} {
			if err := one.knows(ctx, known.list, known.count); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Server) knows(ctx context.Context, list string, count int) error {
	for {
		err := converse(ctx, s.URL, "SENTINEL "+list+" "+SentinelMaster, fmt.Sprintf("*%d", count))
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("a sentinel does not know %d %s: %w (last error: %w)", count, list, ctx.Err(), err)
		case <-time.After(pollInterval):
		}
	}
}
