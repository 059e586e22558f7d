package market

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
)

const (
	// barAfter is how long a fill may take before its progress is reported.
	barAfter = time.Second
	// barEvery and lineEvery are the intervals between two reports on a terminal and elsewhere.
	barEvery  = 200 * time.Millisecond
	lineEvery = 5 * time.Second
	barWidth  = 30
)

// showProgress reports to out how much of total is done until the returned function is called.
func showProgress(out io.Writer, total int, done *atomic.Int64) (stop func()) {
	if out == nil {
		return func() {}
	}
	p := &progress{out: out, total: total, terminal: isTerminal(out), began: time.Now()}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		p.run(quit, done)
	}()
	return sync.OnceFunc(func() { close(quit); <-ended })
}

type progress struct {
	out      io.Writer
	total    int
	terminal bool
	began    time.Time
	told     bool
}

func (p *progress) run(quit <-chan struct{}, done *atomic.Int64) {
	timer := time.NewTimer(barAfter)
	defer timer.Stop()
	for {
		select {
		case <-quit:
			if p.told {
				p.tell(done.Load(), "\n")
			}
			return
		case <-timer.C:
			p.tell(done.Load(), "")
			timer.Reset(p.pause())
		}
	}
}

func (p *progress) pause() time.Duration {
	if p.terminal {
		return barEvery
	}
	return lineEvery
}

// tell writes a report. On a terminal it overwrites the previous one; end is appended to the bar
// and ends its line after the last report.
func (p *progress) tell(done int64, end string) {
	p.told = true
	took := time.Since(p.began)
	text := fmt.Sprintf("%d of %d orders, %.0f a second", done, p.total, float64(done)/took.Seconds())
	if !p.terminal {
		_, _ = fmt.Fprintf(p.out, "filling: %s\n", text)
		return
	}
	filled := min(barWidth, int(done)*barWidth/max(1, p.total))
	bar := strings.Repeat("█", filled) + strings.Repeat("░", barWidth-filled)
	_, _ = fmt.Fprintf(p.out, "\r%s %s\x1b[K%s", bar, text, end)
}

func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}
