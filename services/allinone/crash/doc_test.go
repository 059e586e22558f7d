// Package crash proves that a claim survives every crash. It runs the programs of the claims and the orders service as
// processes of their own on a real PostgreSQL, stops what one says to the other at a chosen call, kills, starts again, and
// looks at what both made of it once nothing is left to do.
//
// # Where things break
//
// Between its commits a claim is carried on by calls alone: of the client to claims, of claims to orders, of claims to the
// refund provider. All of them pass the proxy (proxy_test.go), which knows the claim and the call of each and can hold
// it before it is carried out, or between that and its answer. While it is held nothing else happens to the claim. So a
// process that is killed then dies between exactly these two steps, on a slow machine as on a fast one. A test of its own
// sees to it that the table of actions names every call that an action makes; one more dies where no call is made, between
// the last commit of an action and the record of its answer.
//
// # What is tried
//
// Every action of the table (actions_test.go) at every one of its calls with every fault of the other table
// (faults_test.go): the death of either process or both before the call and before the answer, a call or an answer that is
// lost, a call that is carried out twice, a client that asks again meanwhile. The claims of one fault share two processes
// and one death, so that everything that can be under way is under way when it comes.
//
// # What must hold
//
// Twenty seconds after a fault no step is pending, with the settings that the claims service is shipped with. The client is
// told nothing but the first answer or that it may come again. A client that looks at claims and orders all the time never sees a claim
// that its order contradicts (package agreementtest). In the end claim, order, refund, ledger and provider say the
// same, quantities and amounts add up, and everything happened once (idle_test.go).
package crash
