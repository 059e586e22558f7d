package admission

import (
	_ "embed" // the script
	"strings"

	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/keystate"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

//go:embed admit.lua
var admitScript string

// scripts are the commands of an Admitter.
type scripts struct{ admit, settle, finish, put *redis.Script }

var production = newScripts(ratelimit.ClockScript)

// newScripts puts the commands together; clock defines redis_now.
func newScripts(clock string) scripts {
	join := func(name string, parts ...string) *redis.Script {
		return redis.NewScript(name, strings.Join(parts, "\n"))
	}
	window, state := ratelimit.WindowScript, keystate.StateScript
	return scripts{
		admit:  join("admit", clock, window, state, idempotency.BeginScript, admitScript),
		settle: join("settle", clock, window, ratelimit.SettleScript),
		finish: join("finish", idempotency.FinishScript),
		put:    join("put_key", clock, state, keystate.PutScript),
	}
}

// Scripts are all commands, to be loaded when a connection is made.
func Scripts() []*redis.Script {
	return []*redis.Script{production.admit, production.settle, production.finish, production.put}
}
