package certificate

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// watched is a value parsed from files, which is parsed again when they change. It is safe for concurrent use.
type watched[T any] struct {
	setting  string          // names the files in errors
	list     func() []string // returns the files
	interval time.Duration
	log      *slog.Logger
	parse    func(contents [][]byte) (T, error)

	mu       sync.Mutex
	looked   time.Time
	contents [][]byte
	value    T
	problem  string // of the last check, "" when there was none
}

// watch reads the files for the first time; an error names them.
func watch[T any](paths []string, interval time.Duration, log *slog.Logger,
	parse func([][]byte) (T, error),
) (*watched[T], error) {
	list := func() []string { return paths }
	w := &watched[T]{setting: "TLS_DIR", list: list, interval: interval, log: log, parse: parse, looked: time.Now()}
	return w, w.read()
}

// current returns the value. The files are checked again after an interval.
func (w *watched[T]) current() T {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now := time.Now(); now.Sub(w.looked) >= w.interval {
		w.looked = now
		w.refresh()
	}
	return w.value
}

// refresh reads the files again; an unusable file changes nothing and is logged once.
func (w *watched[T]) refresh() {
	err := w.read()
	if err == nil {
		w.problem = ""
		return
	}
	if err.Error() != w.problem {
		w.problem = err.Error()
		w.log.Warn("TLS files are invalid; the previous ones stay in use", "error", err)
	}
}

func (w *watched[T]) read() error {
	paths := w.list()
	contents := make([][]byte, 0, len(paths))
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("%s: %w", w.setting, err) // which names the file
		}
		contents = append(contents, content)
	}
	if w.contents != nil && slices.EqualFunc(contents, w.contents, bytes.Equal) {
		return nil
	}
	value, err := w.parse(contents)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", w.setting, strings.Join(paths, ", "), err)
	}
	w.contents, w.value = contents, value
	return nil
}
