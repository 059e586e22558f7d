package drive

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/lab/model"
)

var (
	seeds      = flag.Int("model.seeds", 40, "how many seeds are played")
	operations = flag.Int("model.operations", 40, "operations of a seed")
	firstSeed  = flag.Uint64("model.first", 1, "the first seed")
	sideBySide = flag.Int("model.side", 12, "seeds played at the same time")
	without    = flag.String("model.without", "", "kinds and traits of operations that are left out, separated by commas")
	ignore     = flag.String("model.ignore", "warnings", "fields that are not compared, separated by commas")
	replayFrom = flag.String("model.replay", "", "a file of rounds, one JSON list a line, to play in the place of seeds")
	shrinks    = flag.Bool("model.shrink", true, "make failing seeds smaller")
	failures   = flag.Int("model.failures", 5, "after so many failing seeds no other is begun")
)

var ignored = map[string]bool{}

// gcPercent lets the heap grow further between two collections than the default: little memory is retained, and much is
// short-lived.
const gcPercent = 400

func TestMain(m *testing.M) {
	flag.Parse()
	debug.SetGCPercent(gcPercent)
	for _, name := range strings.Split(*ignore, ",") {
		ignored[name] = true
	}
	os.Exit(m.Run())
}

// Whatever sellers, customers and operators do, in any sequence and at the same moment, every answer, every record and
// every refund matches the model.
func TestModel(t *testing.T) {
	t.Parallel()
	s, err := shared()
	require.NoError(t, err, "the model needs PostgreSQL and Redis")
	if *replayFrom != "" {
		problem, err := s.play(t.Context(), readRounds(t, *replayFrom))
		require.NoError(t, err)
		require.Empty(t, problem)
		return
	}
	p := &played{system: s, began: time.Now()}
	p.all(t)
	t.Logf("%s; %v", p.progress(), p.kinds())
}

type played struct {
	system            *system
	began             time.Time
	next              atomic.Int64
	seeds, operations atomic.Int64
	failed            atomic.Int64
	mu                sync.Mutex
	counts            map[string]int
}

func (p *played) all(t *testing.T) {
	t.Helper()
	p.counts = map[string]int{}
	var players sync.WaitGroup
	for range *sideBySide {
		players.Go(func() {
			for n := p.next.Add(1) - 1; n < int64(*seeds) && p.failed.Load() < int64(*failures); n = p.next.Add(1) - 1 {
				p.seed(t, *firstSeed+uint64(n)) //nolint:gosec // it is not negative
			}
		})
	}
	players.Wait()
}

const progressEvery = 500

func (p *played) seed(t *testing.T, seed uint64) {
	t.Helper()
	rounds, problem, err := p.generate(t.Context(), seed)
	if p.seeds.Add(1)%progressEvery == 0 {
		t.Log(p.progress())
	}
	switch {
	case err != nil:
		p.failed.Add(1)
		t.Errorf("seed %d after %d rounds: %v\n%s", seed, len(rounds), err, lines(rounds))
	case problem != "":
		p.failed.Add(1)
		t.Errorf("seed %d differs after %d rounds:\n%s", seed, len(rounds), problem)
		t.Logf("seed %d shrunk:\n%s", seed, p.shrunk(t.Context(), rounds)) // takes up to a minute
	}
}

// generate runs the operations of a seed as they are generated, up to the first difference.
func (p *played) generate(ctx context.Context, seed uint64) (rounds [][]model.Op, problem string, err error) {
	r, err := newRun(ctx, p.system)
	if err != nil {
		return nil, "", err
	}
	defer r.leave()
	g := model.NewGenerator(seed, strings.Split(*without, ",")...)
	for n := 0; n < *operations; n += len(rounds[len(rounds)-1]) {
		round := g.Round(r.model)
		rounds = append(rounds, round)
		p.count(round)
		if problem, err = r.round(ctx, round, g.Rests()); problem != "" || err != nil {
			return rounds, problem, err
		}
	}
	problem, err = r.end(ctx)
	return rounds, problem, err
}

// end compares everything once more, including details and the copies of the client that reads forwards.
func (r *run) end(ctx context.Context) (string, error) {
	for _, compare := range []func(context.Context) (string, error){r.everything, r.exactCopies} {
		if problem, err := compare(ctx); problem != "" || err != nil {
			return problem, err
		}
	}
	return r.details(ctx)
}

func (s *system) play(ctx context.Context, rounds [][]model.Op) (string, error) {
	r, err := newRun(ctx, s)
	if err != nil {
		return "", err
	}
	defer r.leave()
	for i, round := range rounds {
		if problem, err := r.round(ctx, round, true); problem != "" || err != nil {
			return fmt.Sprintf("  round %d:\n%s", i+1, problem), err
		}
	}
	return r.end(ctx)
}

// Bounds of shrinking a seed. Since failures may depend on timing, each attempt is made more than once.
const (
	shrinkTimeout = time.Minute
	shrinkTries   = 2
)

func (p *played) shrunk(ctx context.Context, rounds [][]model.Op) string {
	if !*shrinks {
		return lines(rounds)
	}
	last, until := "", time.Now().Add(shrinkTimeout)
	least := model.Shrink(rounds, func(fewer [][]model.Op) bool {
		for range shrinkTries {
			if time.Now().After(until) {
				return false
			}
			if problem, err := p.system.play(ctx, fewer); err == nil && problem != "" {
				last = problem
				return true
			}
		}
		return false
	})
	return lines(least) + last
}

func lines(rounds [][]model.Op) string {
	var text strings.Builder
	for _, round := range rounds {
		fmt.Fprintf(&text, "%s\n", line(round))
	}
	return text.String()
}

// line returns a round in the form in which it is printed and read again.
func line(round []model.Op) []byte {
	text, err := json.Marshal(round)
	if err != nil {
		panic(err) // it holds only values that JSON can represent
	}
	return text
}

func readRounds(t *testing.T, path string) [][]model.Op {
	t.Helper()
	file, err := os.Open(path) //nolint:gosec // named by the one who runs the test
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	var rounds [][]model.Op
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var round []model.Op
		if strings.HasPrefix(lines.Text(), "[") {
			require.NoError(t, json.Unmarshal(lines.Bytes(), &round))
			rounds = append(rounds, round)
		}
	}
	require.NotEmpty(t, rounds)
	return rounds
}

func (p *played) count(round []model.Op) {
	p.operations.Add(int64(len(round)))
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, op := range round {
		p.counts[string(op.Kind)]++
	}
}

func (p *played) progress() string {
	took, done := time.Since(p.began), p.operations.Load()
	return fmt.Sprintf("%d seeds, %d operations in %s: %.0f a second", p.seeds.Load(), done, millisecondsOf(took),
		float64(done)/took.Seconds())
}

func (p *played) kinds() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]string, 0, len(p.counts))
	for _, kind := range slices.Sorted(maps.Keys(p.counts)) {
		all = append(all, fmt.Sprintf("%s %d", kind, p.counts[kind]))
	}
	return strings.Join(all, ", ")
}
