package admission

import (
	_ "embed" // the scripts
	"strings"

	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/keystate"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

//go:embed each.lua
var eachScript string

//go:embed admit.lua
var admitScript string

// scripts are the commands of an Admitter. All calls of a command have the same number of keys, so that begin, which has
// one more than admit, is a script of its own.
type scripts struct{ admit, begin, settle, finish, put *redis.Script }

var production = newScripts(ratelimit.ClockScript)

// newScripts puts the commands together; clock defines redis_now.
func newScripts(clock string) scripts {
	join := func(name string, parts ...string) *redis.Script {
		return redis.NewScript(name, strings.Join(append([]string{"-- " + name, eachScript}, parts...), "\n"))
	}
	window := ratelimit.WindowScript
	admit := []string{clock, window, keystate.StateScript, idempotency.BeginScript, admitScript}
	return scripts{
		admit:  join("admit", admit...),
		begin:  join("begin", admit...),
		settle: join("settle", clock, window, ratelimit.SettleScript),
		finish: join("finish", idempotency.FinishScript),
		put:    join("put_key", clock, keystate.PutScript),
	}
}

func (s scripts) all() []*redis.Script {
	return []*redis.Script{s.admit, s.begin, s.settle, s.finish, s.put}
}

// Scripts are all commands, to be loaded when a connection is made.
func Scripts() []*redis.Script { return production.all() }
