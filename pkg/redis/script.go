package redis

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// Script is a Lua script that runs inside of the server, with a name for spans
// and metrics. It is safe for concurrent use.
type Script struct {
	name, source string
	script       *redis.Script
}

// NewScript returns the script; nothing is sent yet.
func NewScript(name, source string) *Script {
	return &Script{name: name, source: source, script: redis.NewScript(source)}
}

// Name returns the script's name.
func (s *Script) Name() string { return s.name }

// Digest returns the digest by which EVALSHA names the script.
func (s *Script) Digest() string { return s.script.Hash() }

// Run runs the script by its digest, and if the server does not know it, with its
// text; it runs only once. In a cluster all keys must be in one slot.
func (s *Script) Run(ctx context.Context, client redis.Scripter, keys []string, args ...any) *redis.Cmd {
	return s.script.Run(ctx, client, keys, args...)
}

// loader returns what makes a new connection ready: all scripts loaded in one
// round trip. The library calls it on connections to sentinels too, which know no
// scripts.
func loader(scripts []*Script) func(context.Context, *redis.Conn) error {
	if len(scripts) == 0 {
		return nil
	}
	return func(ctx context.Context, conn *redis.Conn) error {
		pipeline := conn.Pipeline()
		for _, s := range scripts {
			pipeline.ScriptLoad(ctx, s.source)
		}
		answers, err := pipeline.Exec(ctx)
		if err == nil || redis.HasErrorPrefix(err, "unknown command") {
			return nil
		}
		for i, answer := range answers {
			if failed := answer.Err(); failed != nil {
				err = fmt.Errorf("load script %s: %w", scripts[i].name, failed)
				break
			}
		}
		return fmt.Errorf("prepare a connection: %w", err) // the library takes one layer off
	}
}
