package service

import (
	"context"
	"io/fs"
	"log/slog"
	"os"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distributed"
	"sellerapi.dev/pkg/telemetry"
)

// Schema is the database schema of a service, for the commands that need only the database and no other secret.
type Schema struct {
	// Name is that of the schema and of the service.
	Name       string
	Migrations fs.FS
}

// Migrate creates the schema or updates it. Replicas may call it concurrently.
func (s Schema) Migrate(ctx context.Context, config postgres.Config) error {
	return postgres.Migrate(ctx, config, s.Name, s.Migrations)
}

// The environments. A missing one is Live.
const (
	Live = "live"
	Test = "test"
)

// MigrateConfig is the configuration of the command that migrates a schema with records of sellers.
type MigrateConfig struct {
	postgres.Config `embed:""`

	Environment string `name:"environment" env:"ENVIRONMENT" enum:"live,test" default:"live" help:"Environment: live or test. In a test environment the clocks of sellers can be moved; a live one refuses the database from then on."`
}

// MigrateFor is Migrate for an environment: in a test environment the clocks of sellers can be moved afterwards.
func (s Schema) MigrateFor(ctx context.Context, config MigrateConfig) error {
	if err := s.Migrate(ctx, config.Config); err != nil || config.Environment != Test {
		return err
	}
	return postgres.MakeClocksMovable(ctx, config.Config, s.Name)
}

// Distribute distributes the tables over the nodes of a distributed database, and reports its steps.
func (s Schema) Distribute(ctx context.Context, config distributed.Config) error {
	return distributed.Run(ctx, config, s.Name, os.Stdout)
}

// WithPool calls use with a pool on the schema, and closes the pool afterwards. Its log has warnings and errors only.
func (s Schema) WithPool(ctx context.Context, config postgres.Config, use func(*postgres.Pool) error) error {
	tel, err := telemetry.New(ctx, s.Name, Version(), telemetry.Config{LogLevel: slog.LevelWarn})
	if err != nil {
		return err
	}
	defer func() { _ = tel.Shutdown(ctx) }()
	pool, err := postgres.Open(ctx, config, s.Name, tel)
	if err != nil {
		return err
	}
	defer pool.Close()
	return use(pool)
}

// SchemaCommands are the commands that every service with a schema has.
type SchemaCommands struct {
	Migrate    Command[MigrateConfig]      `cmd:"" help:"Migrate the schema."`
	Distribute Command[distributed.Config] `cmd:"" help:"Distribute the tables over the nodes of a distributed database."`
}

// Commands returns the commands on the schema.
func (s Schema) Commands() SchemaCommands {
	return SchemaCommands{NewCommand(s.MigrateFor), NewCommand(s.Distribute)}
}
