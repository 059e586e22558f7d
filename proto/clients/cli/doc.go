// Package cli implements the program sellerapi, with which a seller uses the Seller Open API from a terminal or a script. It uses
// the Go client.
//
// # Exit codes
//
//	0   everything was done, and all output written
//	1   something failed that a retry does not change
//	2   the command line is wrong
//	3   a part was refused: some rows of a file, some checks of doctor
//	4   the API key is missing, refused, or lacks a scope
//	5   the server did not respond or asked to wait for too long: try again
//
// # The key
//
// The key is read from the environment (SELLER_API_KEY) or from the file that `sellerapi login` writes, which only its owner can
// read. It is sent to the server and never printed.
package cli
