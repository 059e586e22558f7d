// Package oracle reports whether a response of the system conforms to the public contract. It is for tests: every response that
// a test receives can be checked against the document, whatever the test itself is about.
//
// # What is checked
//
// The operation is found from method and path. Then: is the status documented, are the documented headers present and valid, is
// every header documented that is not HTTP's own, is the media type right, does the body match its schema, and do the parts
// agree that no schema can relate (meta.code and the status, error_code and the codes of this very response,
// error_data.request_id and X-Request-Id). Responses to paths and methods that the contract does not have are checked against
// its description of these. Of a whole exchange, see [Oracle.CheckExchange], the request is checked too if the response says
// that it was done.
//
// # Strictness
//
// Clients must ignore members and values that they do not know, because the contract grows by addition. Our own tests must not:
// a member that the document does not name is a mistake in one of the two. So an oracle is strict unless it is created with
// [Tolerant].
//
// # Coverage
//
// An oracle records what it has seen and accepted, including the failed entries of batches, so that a test suite can report at
// its end which responses of the contract it never provoked: see [Oracle.Unseen].
package oracle
