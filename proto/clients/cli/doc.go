// Package cli is the program sellerapi: what a seller does with the Seller Open API from a terminal or a script, on the Go client.
//
// # Exit codes
//
//	0   everything was done
//	1   something failed that asking again does not change
//	2   the command line is wrong
//	3   a part was refused: some rows of a file, some checks of doctor
//	4   the API key is missing, refused, or lacks a scope
//	5   the server did not answer or asked to wait for too long: try again
//
// # The key
//
// It is read from the environment (SELLER_API_KEY) or from the file that `sellerapi login` writes, which only its owner can read.
// It is sent to the server and printed nowhere.
package cli
