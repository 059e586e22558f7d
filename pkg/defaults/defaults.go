// Package defaults gives configurations that are made in code the values that the command line would give them: those of
// their `default:"…"` tags, which are the only place that states them.
package defaults

import (
	"fmt"

	"github.com/alecthomas/kong"
)

// Vars are values for tags, by the names of their variables.
type Vars = kong.Vars

// Variables is a configuration whose tags take defaults from code, such as default:"${confirm_after}". Both Fill and
// service.Main ask for them.
type Variables interface {
	// Vars are the values by name.
	Vars() Vars
}

// Fill gives every zero setting of a configuration, a pointer to a struct, its default. The environment is not read.
func Fill(config any) {
	options := []kong.Option{kong.PostBuild(ignoreEnvironment)}
	if variables, ok := config.(Variables); ok {
		options = append(options, variables.Vars())
	}
	if err := apply(config, options); err != nil {
		panic(fmt.Sprintf("defaults of %T: %v", config, err)) // a tag that cannot be read, in every run alike
	}
}

// apply is kong.ApplyDefaults for configurations in which required settings may be missing.
func apply(config any, options []kong.Option) error {
	parser, err := kong.New(config, options...)
	if err != nil {
		return err
	}
	empty, err := kong.Trace(parser, nil)
	if err != nil {
		return err
	}
	return empty.ApplyDefaults()
}

// Of returns a configuration of nothing but defaults.
func Of[T any]() T {
	var config T
	Fill(&config)
	return config
}

// ignoreEnvironment keeps kong from taking settings out of the environment.
func ignoreEnvironment(k *kong.Kong) error {
	return kong.Visit(k.Model.Node, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			flag.Tag.Envs, flag.Envs = nil, nil
		}
		return next(nil)
	})
}
