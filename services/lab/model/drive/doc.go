// Package drive compares the model of package model with the system: it executes random sequences of operations on both,
// through the public interface and the marketplace's RPC, from several clients at once, on real PostgreSQL and Redis.
//
// # What is compared
//
// A round is up to three operations that happen at the same time. The model accepts their answers when there is an order of the
// operations in which it gives the same answers: status, code, what error_data says of the state, and every field of the data.
// When an answer says that something was decided about a claim, claim and order are read at once, before the driver waits for
// anything, and must agree. In every sixth of the rounds in which that may happen, another client reads the claim meanwhile: as
// soon as the claim shows a decision, its order must be as the decision promises.
//
// After a round the driver waits until nothing is in progress: no step of the seller's claims is left, and no refund to which
// the provider has not given an answer. How long that takes makes no difference. An order to which lines were added is then
// read and compared. About every twelfth round, everything that should have changed since the last comparison is read from the
// lists (updated_at_gte) and must match the model, field by field; a field that the model does not know and a missing record
// are differences as well. The requests to the payment provider are compared each time. At the end of a seed all records are
// compared, including those that should not have changed: in the lists, in the details, and in a filtered list that is read in
// small pages.
//
// Another client keeps copies of the lists by reading them forwards: in each round one page of one list, of at most three
// records, while the operations run. It stores the page and the position after it, or loses both, as a client that dies in
// between. At the end it reads the rest, and its copies must equal full reads, field by field.
//
// A check of a batch is followed by that batch in most cases. If nothing came in between, the two answers must not differ in a
// byte.
//
// Orders of the operations of a round that lead to the same state count as one; where they lead to different states, the
// records that are read decide which order it was.
//
// Ids of items and times are learned when they are first seen, and must not change afterwards. A time must lie between the call
// that caused it and the moment when nothing was left to do of it, with a tolerance of a quarter of a second. The deadlines of
// a claim that was frozen are extended by the length of the freeze, as precisely, to the millisecond, as can be told from
// outside. updated_at must change when something has changed, and must not change otherwise.
//
// # What is not compared
//
//   - Which of several operations of a round came first, when the answers leave it open; how far a claim with several steps had
//     progressed from the point of view of the other operations of its round; what an IDEMPOTENCY_UNRESOLVED says of the state
//     when other operations were in progress.
//   - The value of updated_at, only that it changes; and whether the updated_at of a record changed about which something was
//     refused in a round with other operations: an action that was registered and undone changes it.
//   - Whether an answer or a read between the registration and the refusal of a reshipment shows its parcel.
//   - Which of two equal actions is refused when an operator's correction of their lines comes between: one had read the lines
//     before.
//   - Which of two equal reshipments of a round was registered first, if one is refused because another claim holds the line, and
//     the other ships it after that claim's end: what already_done says there.
//   - The texts of messages, warnings, and the product id of an inquiry.
//   - already_done, changed and outcome of a call that was answered with 503 or 504 and retried, as clients do: it is unknown
//     which of the two attempts took effect. The rest of the answer is compared.
//   - How long a deadline is: it is moved to now, and its consequences are compared. How often a refund is requested again.
//   - Limits, keys and scopes, other sellers' data, and processes that are killed: other tests cover these.
//
// # How to run it
//
// make test runs a few seeds. make model runs many: SEEDS, OPERATIONS and FIRST say how many, how long, and from which one. To
// run one seed, or only some operations:
//
//	go test ./services/lab/model/drive -run TestModel -model.first=17 -model.seeds=1 -v
//	go test ./services/lab/model/drive -run TestModel -model.without=points,convert
//	go test ./services/lab/model/drive -run TestModel -model.ignore=warnings
//
// model.without leaves out kinds of operations (the constants of type Kind in package model) and traits (its constants With…);
// model.ignore names fields that are not compared.
//
// # How to read a failing seed
//
// A failing seed is printed with the round that failed and the difference for each order in which its operations can have
// happened; want is the model, got is the system. Then it is shrunk: operations are removed as long as the rest still fails.
// What remains is printed as one line of JSON per round, which can be stored in a file and run again:
//
//	go test ./services/lab/model/drive -run TestModel -model.replay=/tmp/rounds.json
//
// "in the order [1 0]" is about an answer: no order of the round's operations produces it. "as checked" is a batch that did not
// answer as its check did. "at a glance" is a claim that showed a state whose promise its order did not keep. "at rest", "in the
// detail" and "in the list" are records that differ when nothing is left to do; an earlier round may have caused it, and a
// replay, which reads everything after each round, names the first that differs. If the replay passes, the failure depends on
// timing: repeat the run with a larger -model.side, or the seed with -count.
//
// Orders, claims, inquiries, payments and acts are identified by numbers, items by the numbers of their codes. An item of 0 or
// less is an id that no item has: -1 an unknown UUID, -2 a short text, -3 a long one. Whether model or system is right is
// decided by the specification; the model must never be adapted to the system without consulting it.
package drive
