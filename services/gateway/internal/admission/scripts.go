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

//go:embed refused.lua
var refusedScript string

// scripts are the commands of an Admitter. All calls of a command have the same number of keys, so begin, which has one more
// than admit, is a separate script.
//
// All but begin and refused also run on a server that is out of memory: their writes are bounded by the active keys, or do not
// exceed what was stored before. refused creates a window for any calling address, and a full server refuses it. begin creates
// an entry for a day; if the server refuses that, beginFull runs instead, which proceeds for keys that have an entry and begins
// no other.
type scripts struct{ admit, begin, beginFull, settle, renew, finish, put, refused, usage *redis.Script }

// whenFull is the first line of a script that may also write when the server is out of memory; it requires Redis 7. With it the
// server refuses a script at the start where it would refuse its first write, as on a replica.
const whenFull = "#!lua flags=allow-oom\n"

var production = newScripts(ratelimit.ClockScript)

// newScripts assembles the commands; clock defines redis_now.
func newScripts(clock string) scripts {
	join := func(flags, name string, parts ...string) *redis.Script {
		return redis.NewScript(name, flags+strings.Join(append([]string{"-- " + name, eachScript}, parts...), "\n"))
	}
	window := ratelimit.WindowScript
	admit := []string{"local KNOWN_KEYS_ONLY = false", clock, window, keystate.StateScript, idempotency.BeginScript, admitScript}
	knownOnly := append([]string{"local KNOWN_KEYS_ONLY = true"}, admit[1:]...)
	return scripts{
		admit:     join(whenFull, "admit", admit...),
		begin:     join("", "begin", admit...),
		beginFull: join(whenFull, "begin_full", knownOnly...),
		settle:    join(whenFull, "settle", clock, window, ratelimit.SettleScript),
		renew:     join(whenFull, "renew", idempotency.RenewScript),
		finish:    join(whenFull, "finish", idempotency.FinishScript),
		put:       join(whenFull, "put_key", clock, keystate.PutScript),
		refused:   join("", "refused", clock, window, refusedScript),
		usage:     join(whenFull, "usage", clock, window, ratelimit.UsageScript),
	}
}

func (s scripts) all() []*redis.Script {
	return []*redis.Script{s.admit, s.begin, s.beginFull, s.settle, s.renew, s.finish, s.put, s.refused, s.usage}
}

// Scripts returns all commands, to be loaded on every new connection.
func Scripts() []*redis.Script { return production.all() }
