package service

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"time"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/size"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
)

// SizeCommand prints the size and the growth of the service's schema. It needs only the database and changes nothing.
type SizeCommand struct {
	Postgres postgres.Config `embed:""`

	Capacity size.Bytes    `help:"Capacity of the database, such as 500GiB; with it, the command prints when the database will be full."`
	Window   time.Duration `default:"24h" help:"Period up to now over which growth is measured."`
	JSON     bool          `name:"json" help:"Print JSON, in bytes."`

	schema string
	record size.Record
}

// NewSizeCommand returns the command for a schema and what it keeps.
func NewSizeCommand(schema string, record size.Record) SizeCommand {
	return SizeCommand{schema: schema, record: record}
}

// Validate implements kong's check of a command.
func (c *SizeCommand) Validate() error {
	if c.Window <= 0 {
		return errors.New("--window: must be positive")
	}
	return nil
}

// Run prints the report.
func (c *SizeCommand) Run(ctx context.Context, out io.Writer) error {
	tel, err := telemetry.New(ctx, c.schema, Version(), telemetry.Config{LogLevel: slog.LevelWarn})
	if err != nil {
		return err
	}
	defer func() { _ = tel.Shutdown(ctx) }()
	pool, err := postgres.Open(ctx, c.Postgres, c.schema, tel)
	if err != nil {
		return err
	}
	defer pool.Close()
	report, err := size.Measure(ctx, pool, c.schema, c.record, size.Options{Window: c.Window, Capacity: int64(c.Capacity)})
	if err != nil {
		return err
	}
	if !c.JSON {
		return report.Print(out)
	}
	lines := json.NewEncoder(out)
	lines.SetIndent("", "  ")
	return lines.Encode(report)
}

// sizeInterval is the update interval of the table sizes, which change slowly.
const sizeInterval = 5 * time.Minute

// measureSizes returns the sweep that updates the table sizes in each run.
func (s *Shell) measureSizes() sweep.Sweep {
	tables := sweep.Item{Key: "tables", Do: func(ctx context.Context) error { return size.Export(ctx, s.Pool, s.Telemetry) }}
	return sweep.Sweep{
		Name: "measure_sizes", Interval: sizeInterval,
		Find: func(context.Context, int) ([]sweep.Item, error) { return []sweep.Item{tables}, nil },
	}
}
