// Package drive holds the model of package model against the system: it does random sequences of operations with both, through
// the public interface and the marketplace's RPC, from several clients at once, on real PostgreSQL and Redis.
//
// # What is compared
//
// A round is up to three operations that happen at the same time. The model accepts their answers when there is an order of
// them in which it gives the same: status, code, what error_data says of the state, and every field of the data. When an answer says that
// something was decided about a claim, claim and order are read at once, before anything is waited for, and must agree. In every sixth of
// the rounds in which that may happen, another client reads the claim meanwhile: as soon as it shows a decision, its order must be as it
// says.
//
// After a round the driver waits until nothing is under way: no step of the seller's claims is left, and no refund about which the
// provider has said nothing. How long that takes makes no difference. An order that has got lines is read then and compared. Every
// twelfth round or so, all that should have changed since the last time is read from the lists (updated_at_gte) and must be as the model
// says, field by field; a field that the model does not know and a record that is missing are differences as well. What the payment
// provider was asked for is compared each time. At the end of a seed all records are, and those that should not have changed as well: in
// the lists, in the details, and in a list that is filtered and walked in small pages.
//
// Orders of the operations of a round that lead to the same state are one; where they lead to different ones, what is read tells which it
// was.
//
// Ids of items and times are learned when they are first seen, and stay what they are from then on. A time must lie between the call that
// caused it and the moment when nothing was left to do of it, a quarter of a second more or less. The deadlines of a claim that was frozen
// have moved by as long as the freeze lasted, to the millisecond that can be told from outside. updated_at must move when something has
// changed, and must not when nothing has.
//
// # What is not
//
//   - Which of several operations of a round came first, when the answers leave it open; how far a claim with several steps has come in
//     the eyes of the others of its round; what an IDEMPOTENCY_UNRESOLVED says of the state when others were under way.
//   - updated_at beyond its moving, and whether that of a record moved about which something was refused beside other operations: an
//     action that was registered and taken back moves it.
//   - Which of two equal actions is refused when an operator's correction of their lines comes between: one had asked for the lines before.
//   - The texts of messages, warnings, and the product's id of an inquiry.
//   - already_done, changed and outcome of a call that was answered with 503 or 504 and made again, as clients do: nobody knows which of
//     both has done it. All else of its answer is compared.
//   - How long a deadline is: it is moved to now, and what comes of it is compared. How often a refund is asked for again.
//   - Limits, keys and scopes, other sellers' data, and processes that die: other tests have these.
//
// # How to run it
//
// make test plays a few seeds. make model plays many: SEEDS, OPERATIONS and FIRST say how many, how long, and from which one.
// To run one seed, or less of it:
//
//	go test ./services/allinone/model/drive -run TestModel -model.first=17 -model.seeds=1 -v
//	go test ./services/allinone/model/drive -run TestModel -model.without=points,convert
//	go test ./services/allinone/model/drive -run TestModel -model.ignore=warnings
//
// model.without leaves out kinds of operations (the constants of type Kind in package model) and traits (its constants
// With…); model.ignore names fields that are not compared.
//
// # How to read a failing seed
//
// A failing seed is printed with the round that failed and what differs for each order in which its operations can have
// happened; want is the model, got is the system. Then it is shrunk: operations are left out as long as what is left still
// fails. What remains is printed as one line of JSON for each round, which can be kept in a file and played again:
//
//	go test ./services/allinone/model/drive -run TestModel -model.replay=/tmp/rounds.json
//
// Orders, claims, inquiries, payments and acts go by numbers; items by the number of their code. An item of 0 or less is an id
// of no item: -1 an unknown UUID, -2 a short text, -3 a long one. Which of model and system is right, the specification says;
// the model must never be changed to what the system does without reading it there.
package drive
