package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"sellerapi.dev/pkg/postgres"
)

// ArchiveConfig has the settings of a service that archives ended records.
type ArchiveConfig struct {
	// ArchiveAfter is the time from the last change of a record to its archiving. 0: records are not archived.
	ArchiveAfter time.Duration `name:"archive-after" env:"ARCHIVE_AFTER" default:"0" help:"How long after its last change a completed record is moved from the lists to the archive. 0: never."`
}

// ErrArchiveAfter says that the time is negative.
var ErrArchiveAfter = errors.New("must not be negative")

// Validate returns ErrArchiveAfter if the time is negative.
func (c *ArchiveConfig) Validate() error {
	if c.ArchiveAfter < 0 {
		return fmt.Errorf("ARCHIVE_AFTER: %w", ErrArchiveAfter)
	}
	return nil
}

// BringBackCommand restores records from the archive of a service. It needs only the database.
type BringBackCommand struct {
	Postgres postgres.Config `embed:""`

	Numbers []string `arg:"" help:"Numbers of the records to restore."`

	schema Schema
}

// BringBack restores a record from the archive, and reports whether it was there. It returns an error if the record does not exist.
type BringBack func(ctx context.Context, pool *postgres.Pool, number string) (bool, error)

// Run restores the records one after the other and prints the result of each.
func (c *BringBackCommand) Run(ctx context.Context, out io.Writer) error {
	return c.schema.WithPool(ctx, c.Postgres, func(pool *postgres.Pool) error {
		for _, number := range c.Numbers {
			back, err := c.schema.BringBack(ctx, pool, number)
			if err != nil {
				return fmt.Errorf("%s: %w", number, err)
			}
			became := map[bool]string{true: "back from the archive", false: "not in the archive"}[back]
			if _, err := fmt.Fprintf(out, "%s: %s\n", number, became); err != nil {
				return err
			}
		}
		return nil
	})
}
