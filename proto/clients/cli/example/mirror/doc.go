// Package mirror is an example of a seller's program: it keeps a copy of the orders in a SQLite file up to date, and
// ships the items that a CSV file lists. It shows what a program has to store to survive a crash: the progress of the
// synchronization, in the same transaction as the orders, and the key of every batch, before the batch is sent.
package mirror
