package gateway

import (
	"fmt"
	"io"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distribute"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/store"
)

// Commands is the command line of the program.
type Commands struct {
	Serve      service.Command[Config]            `cmd:"" help:"Run the service."`
	Migrate    service.Command[postgres.Config]   `cmd:"" help:"Migrate the schema."`
	Distribute service.Command[distribute.Config] `cmd:"" help:"Distribute the tables over the nodes of a distributed database."`
	Keys       keysCommands                       `cmd:"" help:"Register sellers; issue, list, show and revoke their keys."`
	Audit      auditCommands                      `cmd:"" help:"Verify and export the audit trail of keys."`
	Keyset     keysetCommands                     `cmd:"" help:"Create and rotate the key set that encrypts API keys."`
	Token      tokenCommand                       `cmd:"" help:"Print a token with which a system or an operator may call the RPC ports."`
	Smoke      smokeCommand                       `cmd:"" help:"Call a running gateway, to check an installation."`
}

// NewCommands returns the command line for service.Main.
func NewCommands() *Commands {
	return &Commands{
		Serve:      service.NewCommand(Run),
		Migrate:    service.NewCommand(Schema.Migrate),
		Distribute: service.NewCommand(Schema.Distribute),
	}
}

// Schema is the database schema of the service.
var Schema = service.Schema{Name: store.Schema, Migrations: store.Migrations()}

// keysetCommands print a key set for KEY_ENCRYPTION_KEYSET. The steps of a rotation: extend, roll out, promote, roll out.
type keysetCommands struct {
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
