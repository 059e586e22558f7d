// Package flags reports which flags of a command are outside of their bounds.
package flags

import (
	"errors"
	"fmt"
)

// Bound is a flag, whether its bound is kept, and what it must be.
type Bound struct {
	Flag string
	Kept bool
	Must string
}

// Broken returns an error that names each flag whose bound is not kept, or nil.
func Broken(bounds []Bound) error {
	var problems []error
	for _, b := range bounds {
		if !b.Kept {
			problems = append(problems, fmt.Errorf("%s must be %s", b.Flag, b.Must))
		}
	}
	return errors.Join(problems...)
}
