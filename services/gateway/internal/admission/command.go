package admission

import "slices"

// Command is the Redis command with which Charge decides on a call, for a program that is not written in Go: the benchmark
// compares the gateway with a web server that sends it.
type Command struct {
	// Digest names the script for EVALSHA. It is one of Scripts.
	Digest string
	// State and Window are its two keys: the state of the caller's key, which PutKey writes, and its window.
	State, Window string
	// Before and After are its arguments before and after the nonce: NonceBytes bytes that differ from call to call.
	Before, After []any
}

// NonceBytes is the length of a nonce.
const NonceBytes = nonceBytes

// Command returns the command for a call. Its answer is a list of one list, which begins with the verdict.
func (a *Admitter) Command(call Call) Command {
	names, args := namesOf(call.Key.SellerID), append([]any{1}, a.arguments("charge", call, "", 0)...)
	nonce := slices.Index(args, any(""))
	return Command{
		Digest: a.scripts.admit.Digest(), State: names.state(call.Key.ID), Window: names.window(call.Key.ID, call.Class),
		Before: args[:nonce], After: args[nonce+1:],
	}
}
