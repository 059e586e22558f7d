// Package rpc implements the calls between services and from the marketplace core: the server and client settings of Connect, in
// one place, so that every internal call has a credential, a deadline, a span, a metric, a log line and the same error format.
//
// # Protocol
//
// A server answers Connect, gRPC and gRPC-web on one port, over HTTP/1.1 and cleartext HTTP/2, with binary or JSON
// messages; with TLS (package certificate) over HTTP/2 of TLS in the place of cleartext. So a plain POST works for a person with curl:
//
//	curl -H 'Authorization: Bearer …' -H 'Content-Type: application/json' \
//	     -d '{"seller_id":"…"}' http://127.0.0.1:8081/gateway.v1.Keys/ListKeys
//
// # Who may call
//
// Every call carries "Authorization: Bearer <token>", a JWT signed with Ed25519: who signed it (iss), the caller's name (sub), the
// services that it is for (aud), when it was issued and when it ends (iat, exp), and its id (jti). The check runs before a byte of
// the message is read. The server allows the clocks to differ by a few seconds.
//
// The name determines the permitted calls: access.go lists the callers of each procedure, rendered as ACCESS.md, and a call by any
// other caller is answered with permission_denied, also before a byte of the message is read. This limits the use of a stolen token.
// A service that records refused calls (Recorder) reads the message first, to record it; a message that cannot be read is answered as
// such, and recorded.
//
// # Who may sign
//
// A service that calls another one signs its own tokens, with a life of a minute, and renews them; they are accepted only in its own
// name and for at most an hour. The systems of the marketplace and the operators have tokens of the issuer, signed by "gateway token",
// with a life of at most MaxTokenLife; they are not accepted in the name of a service. Servers verify tokens with public keys (package
// trust), so a compromised service can only forge tokens of its own calls.
//
// # Revocation
//
// A token is refused by every service that has its id in Config.Revoked. The list is a setting and not a table, because the services
// share no database and each of them must refuse the token: a token is revoked by a roll-out of all services, within minutes and
// without a failed call, instead of by a store on which every call of every service would depend. The list stays short, because an id
// can be removed when its token has expired. The id of a token is in the log line of each of its calls.
//
// # Deadlines
//
// The caller's deadline is sent with the call. A call without one gets Config.Timeout, and the maximum is thirty seconds, so that a
// missing deadline never keeps a transaction open.
//
// # Errors
//
// A handler returns errors of the error table, as everywhere. On the wire they are a Connect error whose code follows
// from the row's HTTP status; the row's name is in the metadata "x-error-code", and a detail of type
// google.protobuf.Struct holds error_code and error_data. Causes are only logged by the server. The client converts this back to the
// same row, so that claims can pass on errors of orders. Other errors are converted too: unreachable is Unavailable, too slow is
// UpstreamTimeout, a refused credential is our own error and therefore Internal, anything else is BadUpstream.
//
// The client never retries a call automatically. Callers retry; every internal call is idempotent by an id that the caller sets.
package rpc
