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

// scripts are the commands of an Admitter. All calls of a command have the same number of keys, so that begin, which has
// one more than admit, is a script of its own.
//
// All but begin and refused also run on a server whose memory is used up: what they write is as much as active keys need, or not more
// than was there. refused makes a window for any address that calls, and a full server refuses it. begin makes an entry for a day; when
// the server refuses that, beginFull is run instead, which goes on with keys that have an entry and begins no other.
type scripts struct{ admit, begin, beginFull, settle, finish, put, refused *redis.Script }

// whenFull is the first line of a script that may also write when the server's memory is used up; Redis 7 is the first to read
// it. It makes the server refuse the script where it would refuse its first write, as on a replica.
const whenFull = "#!lua flags=allow-oom\n"

var production = newScripts(ratelimit.ClockScript)

// newScripts puts the commands together; clock defines redis_now.
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
		finish:    join(whenFull, "finish", idempotency.FinishScript),
		put:       join(whenFull, "put_key", clock, keystate.PutScript),
		refused:   join("", "refused", clock, window, refusedScript),
	}
}

func (s scripts) all() []*redis.Script {
	return []*redis.Script{s.admit, s.begin, s.beginFull, s.settle, s.finish, s.put, s.refused}
}

// Scripts are all commands, to be loaded when a connection is made.
func Scripts() []*redis.Script { return production.all() }
