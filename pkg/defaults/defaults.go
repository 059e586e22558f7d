// Package defaults gives configurations that are created in code the defaults of the command line: those of their `default:"…"`
// tags, which are the only place that states them.
package defaults

import (
	"fmt"

	"github.com/alecthomas/kong"
)

// Vars are values of variables in tags, by name.
type Vars = kong.Vars

// Variables is implemented by configurations whose tags take defaults from code, such as default:"${confirm_after}". Both Fill
// and service.Main use it.
type Variables interface {
	// Vars are the values by name.
	Vars() Vars
}

// Fill sets every zero setting of a configuration, a pointer to a struct, to its default. It does not read the environment.
func Fill(config any) {
	options := []kong.Option{kong.PostBuild(ignoreEnvironment)}
	if variables, ok := config.(Variables); ok {
		options = append(options, variables.Vars())
	}
	if err := apply(config, options); err != nil {
		panic(fmt.Sprintf("defaults of %T: %v", config, err)) // an invalid tag, which fails in every run
	}
}

// apply is kong.ApplyDefaults for configurations whose required settings may be missing.
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

// Of returns a configuration of type T with its defaults.
func Of[T any]() T {
	var config T
	Fill(&config)
	return config
}

func ignoreEnvironment(k *kong.Kong) error {
	return kong.Visit(k.Model.Node, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			flag.Tag.Envs, flag.Envs = nil, nil
		}
		return next(nil)
	})
}
