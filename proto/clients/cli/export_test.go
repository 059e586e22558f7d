package cli

import (
	"context"

	"github.com/alecthomas/kong"
)

// Leaves returns the commands of the program.
func Leaves(ctx context.Context) ([]*kong.Node, error) {
	parser, err := newParser(ctx, &World{}, &commands{})
	if err != nil {
		return nil, err
	}
	return parser.Model.Leaves(false), nil
}
