// Package secret holds values that must never be read by accident: passwords inside connection addresses, signing keys,
// shared secrets.
//
// A value that is "only redacted in the logger" still leaks, because there are many roads to text: the fmt verbs, a
// struct that contains it, JSON, an error that quotes its input. Text and Keys close each of them. Every method that
// turns a value into text (String, GoString, Format, MarshalJSON, MarshalText, LogValue) answers with a mask, and the
// value itself sits behind a pointer, so that fmt, which cannot call methods on the unexported fields of someone
// else's struct, prints an address there.
//
// The one way to the value is a method with a telling name: Text.Reveal, Keys.Current, Keys.Previous. A reviewer who
// searches for these names has seen every use.
//
// The package does not protect memory: Go may copy a string, and it is never wiped.
package secret
