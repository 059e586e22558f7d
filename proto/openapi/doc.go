// Package openapi is the public contract of the Seller Open API: one OpenAPI 3.1 document, written by hand.
//
// seller-open-api.yaml is the source. Servers serve it as YAML and as JSON; tests check every response of a running system
// against it (package oracle); package docs renders it for people. It is never read while a request is served: rules that no
// schema can express, such as which of two refusals takes precedence, are implemented in the services.
//
// # Conventions of the document
//
//   - x-scopes of an operation: the scopes, always exactly one, that a key must have.
//   - x-error-codes of a response: every error_code that it can have. null stands for failures without a code.
//   - enum: a closed list, in requests. x-extensible-enum: an open list, in responses; later values may be added.
//   - x-enum-varnames: names for the values of an open list, and of an enum whose values are not identifiers; generators use
//     them as constants.
//   - x-ms-enum: the name of an open list, and that it is open (modelAsString). It has no x-enum-descriptions, which generators
//     read beside an enum only, and an enum would make their clients refuse values of later versions.
//   - x-other-names of the carriers: names that people and other systems use for them, without blanks, punctuation, letter case
//     and width (NFKC). Requests do not accept them; they are for programs that read what people write.
//   - x-tracking-numbers of the carriers: the rules of the warning about a tracking number. It has one of the lengths; the
//     digits from the index check-from on, without the last one, are modulo 7 the last one.
//   - x-displayName of a tag, in the Korean document only: its name for readers; operations refer to the other one.
//   - externalDocs: the guide that explains it, one for every operation and tag. In the file they name an example address.
//   - x-unrouted-responses: the responses to requests that match no operation, by status.
//   - An example of a failure is named by its code.
//
// # Changing it
//
// Version 1 changes by addition only. released/ contains what was promised to clients; a test compares the two and fails on a
// difference that can break a client.
package openapi
