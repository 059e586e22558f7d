// Package secret holds values that must never be disclosed by accident: passwords inside connection addresses, signing keys,
// shared secrets.
//
// A value that is "only redacted in the logger" still leaks, because a value can become text in many ways: the fmt verbs, a
// struct that contains it, JSON, an error that quotes its input. Text and Keys prevent each of them. Every method that turns a
// value into text (String, GoString, Format, MarshalJSON, MarshalText, LogValue) returns a mask, and the value itself is behind
// a pointer, so that fmt, which cannot call methods on the unexported fields of another package's struct, prints an address
// there.
//
// Only methods with explicit names return the value: Text.Reveal, Keys.Current, Keys.Previous. A reviewer finds every use by
// searching for these names.
//
// The package makes no guarantees about memory: Go may copy a string, and copies are not wiped.
package secret
