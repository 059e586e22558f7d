package admission

// Command is the Redis command with which Charge decides on a call, for a program that is not written in Go: the benchmark compares
// the gateway with a web server that sends it.
type Command struct {
	// Digest names the script for EVALSHA. It is one of Scripts.
	Digest string
	// State and Window are its two keys: the state of the caller's key, which PutKey writes, and its window.
	State, Window string
	// Before and After are its only argument before and after the nonce: NonceBytes bytes that differ from call to call.
	Before, After string
}

// NonceBytes is the length of a nonce.
const NonceBytes = nonceBytes

// Command returns the command for a call. Its answer is a list of one string, which begins with the verdict and a zero byte.
func (a *Admitter) Command(call Call) Command {
	const what = "charge"
	names, whole := namesOf(call.Seller), string(a.pack(what, call, "", 0))
	before := len(a.terms[call.Class].argument) + len(what) + 1
	return Command{
		Digest: a.scripts.admit.Digest(), State: names.state(call.Key), Window: names.window(call.Key, call.Class),
		Before: whole[:before], After: whole[before:],
	}
}
