// Package commands holds what an operator does with the program beside running the service.
package commands

import (
	"fmt"
	"io"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/store"
)

// Schema is the database schema of the service.
var Schema = service.Schema{Name: store.Schema, Migrations: store.Migrations()}

// Keyset are the commands that print a key set for KEY_ENCRYPTION_KEYSET. The steps of a rotation: extend, roll out, promote,
// roll out.
type Keyset struct {
	New     newKeyset     `cmd:"" help:"Print a new key set."`
	Extend  extendKeyset  `cmd:"" help:"Print the key set with an additional key, which only decrypts. Deploy it everywhere before 'promote'."`
	Promote promoteKeyset `cmd:"" help:"Print the key set with its newest key as the one that encrypts."`
}

type oldKeyset struct {
	Keyset secret.Text `name:"key-encryption-keyset" env:"KEY_ENCRYPTION_KEYSET" required:"" help:"The current key set."`
}

type (
	newKeyset     struct{}
	extendKeyset  struct{ oldKeyset }
	promoteKeyset struct{ oldKeyset }
)

// Run prints a new key set.
func (*newKeyset) Run(out io.Writer) error { return printed(out)(apikey.NewKeyset()) }

// Run prints the key set with an additional key.
func (c *extendKeyset) Run(out io.Writer) error { return printed(out)(apikey.ExtendKeyset(c.Keyset)) }

// Run prints the key set with its newest key as the primary.
func (c *promoteKeyset) Run(out io.Writer) error { return printed(out)(apikey.PromoteKeyset(c.Keyset)) }

func printed(out io.Writer) func(secret.Text, error) error {
	return func(text secret.Text, err error) error {
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(out, text.Reveal())
		return err
	}
}
