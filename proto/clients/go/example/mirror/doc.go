// Package mirror is an example of a seller's program: a copy of the orders in a SQLite file, kept up to date, and the
// shipment of what a CSV file lists. It shows what a program has to keep over a crash: how far collecting has come, in
// the transaction of the orders, and the key of every batch, written down before the batch is sent.
package mirror
