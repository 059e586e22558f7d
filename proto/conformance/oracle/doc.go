// Package oracle reports whether an answer of the system is one that the public contract describes. It is for tests: every
// answer that a test receives can be held against the document, whatever the test itself is about.
//
// # What is checked
//
// The operation is found from method and path. Then: is the status documented, are the documented headers there and
// sound, is the media type right, does the body fit its schema, and do the parts that no schema can tie together agree
// (meta.code and the status, error_code and the codes of this very response, error_data.request_id and X-Request-Id).
// Paths and methods that the contract does not have are held against what it says about these. Of a whole exchange, see
// [Oracle.CheckExchange], the request is checked too when the answer says that it was done.
//
// # Strictness
//
// Clients must ignore members and values that they do not know, because the contract grows by addition. Our own tests must
// not: a member that the document does not name is a mistake in one of the two. So an oracle is strict unless it is made
// [Tolerant].
//
// # Coverage
//
// An oracle remembers what it has seen and accepted, the failed entries of batches too, so that a suite can say at its end
// which answers of the contract it never provoked: see [Oracle.Unseen].
package oracle
