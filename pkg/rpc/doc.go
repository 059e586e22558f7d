// Package rpc implements the calls between services and from the marketplace core: the server and client settings of Connect,
// in one place, so that every internal call has a credential, a deadline, a span, a metric, a log line and the same error
// format.
//
// # Protocol
//
// A server answers Connect, gRPC and gRPC-web on one port, over HTTP/1.1 and cleartext HTTP/2, with binary or JSON messages;
// with TLS (package certificate) over HTTP/2 of TLS in the place of cleartext. So a plain POST works for a person with curl:
//
//	curl -H 'Authorization: Bearer …' -H 'Content-Type: application/json' \
//	     -d '{"seller_id":"…"}' http://127.0.0.1:8081/gateway.v1.Keys/ListKeys
//
// JSON is read strictly: a member that the contract lacks is refused, with its path and the nearest known name, and nothing is
// done. Binary messages may have fields of a newer contract.
//
// # Who may call
//
// Every call carries "Authorization: Bearer <token>", a JWT signed with Ed25519: who signed it (iss), the caller's name (sub),
// the services that it is for (aud), when it was issued and when it ends (iat, exp), and its id (jti). The check runs before a
// byte of the message is read. The server allows the clocks to differ by a few seconds.
//
// The name decides what may be called: access.go lists the callers of each procedure, rendered as ACCESS.md, and a call by any
// other one is answered permission_denied, also before a byte of the message is read. This limits the damage of a stolen token.
// A service that keeps a record of refused calls (Recorder) has the message read first, to learn what was wanted; one that
// cannot be read is then answered as such, and recorded.
//
// # Who may sign
//
// A service that calls another one signs its own tokens, with a life of a minute, and renews them; they are accepted only in
// its own name and for at most an hour. The systems of the marketplace and the operators have tokens of the issuer, signed by
// "gateway token", with a life of at most MaxTokenLife; they are not accepted in the name of a service other than the console, in
// whose place a marketplace may have its own. Servers verify tokens
// with public keys (package trust), so a compromised service can only forge tokens of its own calls.
//
// # Revocation
//
// A token is refused as soon as its id is among Config.Revoked, at every service with that setting. The list is a setting and
// not a table, because the services share no database and a token must be refused by each of them: what revokes is a roll-out
// of all, within minutes and without a failed call, instead of a store that every call of every service would depend on. The
// list stays short, because an id may leave it when its token has expired. The id of a token is in the log line of each of its
// calls (token_id).
//
// # Deadlines
//
// The caller's deadline is sent with the call. A call without one gets Config.Timeout, and the maximum is thirty seconds, so
// that a missing deadline never keeps a transaction open.
//
// # Errors
//
// A handler returns errors of the error table, as everywhere. On the wire they are a Connect error whose code follows from the
// row's HTTP status; the row's name is in the metadata "x-error-code", and a detail of type google.protobuf.Struct holds
// error_code and error_data. Causes stay in the server's log. The client turns all of it back into the same row, so that claims
// can pass on what orders said. Other failures are translated too: unreachable is Unavailable, too slow is UpstreamTimeout, a
// refused credential is a configuration error and therefore Internal, anything else is BadUpstream.
//
// The client never retries a call. Callers retry, because they know that every internal call is idempotent by an id that they
// give.
package rpc
