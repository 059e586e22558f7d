package jobs

import (
	"context"
	"log/slog"
)

// quiet leaves of River's log lines what someone must look at: it reports each of its own rounds otherwise.
func quiet(logger *slog.Logger) *slog.Logger { return slog.New(warnings{logger.Handler()}) }

// warnings is a handler that drops what is less than a warning.
type warnings struct{ slog.Handler }

// Enabled implements slog.Handler.
func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }
