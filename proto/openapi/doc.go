// Package openapi is the public contract of the Seller Open API: one OpenAPI 3.1 document, written by hand.
//
// seller-open-api.yaml is the source. Servers hand it out as it is and as JSON; tests hold every answer of a running
// system against it (package oracle); the page of package docs shows it to people. Nothing of it is read while a request
// is being served: the rules that no schema can say, such as which of two refusals comes first, live in the services.
//
// # Conventions of the document
//
//   - x-scopes of an operation: the scopes, one of them always, that a key must carry.
//   - x-error-codes of a response: every error_code that it can have. null stands for failures without a code.
//   - enum: a closed list, in requests. x-extensible-enum: an open list, in answers; later values may be added.
//   - x-enum-varnames: names for the values of an enum that are no words of a program; generators take them for constants.
//   - x-other-names of the carriers: what people and other systems call them, without blanks, marks and letter case. Not accepted;
//     for programs that read what people write.
//   - x-displayName of a tag, in the Korean document only: its name for readers; operations refer to the other.
//   - externalDocs: the guide that explains it, one for every operation and tag. In the file they name an example address.
//   - x-unrouted-responses: what is answered where no operation matches, by status.
//   - An example of a failure is named by its code.
//
// # Changing it
//
// Version 1 changes by addition only. released/ holds what was promised to clients; a test compares the two and fails on a
// difference that can break a client.
package openapi
