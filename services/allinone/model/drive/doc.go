// Package drive holds the model of package model against the system: it does random sequences of operations with both, through
// the public interface and the marketplace's RPC, from several clients at once, on real PostgreSQL and Redis.
//
// # What is compared
//
// A round is up to three operations that happen at the same time. The model accepts their answers when there is an order of
// them in which it gives the same. Between rounds everything is at rest: then lists, details and what the payment provider was
// asked for must be as the model says, field by field; a field that the model does not know is a difference as well. Ids of
// items and times are learned when they are first seen, and stay what they are from then on. updated_at must move when
// something has changed, and must not when nothing has.
//
// # How to run it
//
// make model runs it, and make test does not: what a loaded machine does later than within its call is still taken for a
// difference. SEEDS, OPERATIONS and FIRST say how many, how long, and from which one.
// To run one seed, or less of it:
//
//	go test -tags model ./services/allinone/model/drive -run TestModel -model.first=17 -model.seeds=1 -v
//	go test -tags model ./services/allinone/model/drive -run TestModel -model.without=points,convert
//	go test -tags model ./services/allinone/model/drive -run TestModel -model.ignore=warnings
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
//	go test -tags model ./services/allinone/model/drive -run TestModel -model.replay=/tmp/rounds.json
//
// Orders, claims, inquiries, payments and acts go by numbers; items by the number of their code. An item of 0 or less is an id
// of no item: -1 an unknown UUID, -2 a short text, -3 a long one. Which of model and system is right, the specification says;
// the model must never be changed to what the system does without reading it there.
package drive
