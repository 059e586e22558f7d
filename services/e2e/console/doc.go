// Package console tests the partner console as browsers reach it: a real console, gateway and Redis, and the OpenID provider of
// `make up`, which tests let err.
package console
