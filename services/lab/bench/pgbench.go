package bench

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"sellerapi.dev/pkg/launch"
)

// script is a script for pgbench: its text, and the values of its variables as name=value.
type script struct {
	text    string
	defines []string
}

// pgbench is one run of pgbench. It prepares every statement once per connection, and its library reads every result to the end.
type pgbench struct {
	database string
	script   script
	clients  int
	// transactions is how many transactions each client makes.
	transactions int
}

// pgbench runs pgbench and returns the rate without the warm-up.
func (b *benchmark) pgbench(ctx context.Context, p pgbench) (sample, error) {
	program, err := findPgbench()
	if err != nil {
		return sample{}, err
	}
	file := filepath.Join(b.Dir, "script.sql")
	if err := os.WriteFile(file, []byte(p.script.text), 0o600); err != nil {
		return sample{}, err
	}
	arguments := []string{
		"--no-vacuum", "--protocol=prepared", "--progress=1", "--transactions=" + strconv.Itoa(p.transactions), "--file=" + file,
		"--client=" + strconv.Itoa(p.clients), "--jobs=" + strconv.Itoa(min(p.clients, runtime.NumCPU())),
	}
	for _, define := range p.script.defines {
		arguments = append(arguments, "--define="+define)
	}
	command := exec.CommandContext(ctx, program, arguments...)
	if command.Env, err = p.environ(); err != nil {
		return sample{}, err
	}
	before, err := launch.TreeCPU(b.ground.postgres.PID())
	if err != nil {
		return sample{}, err
	}
	output, err := command.CombinedOutput()
	if err != nil {
		return sample{}, fmt.Errorf("pgbench: %w\n%s", err, lastLines(string(output)))
	}
	if err := pause(ctx, sessionsEnd); err != nil {
		return sample{}, err
	}
	after, err := launch.TreeCPU(b.ground.postgres.PID())
	if err != nil {
		return sample{}, err
	}
	report, err := readReport(string(output), b.warmSeconds())
	if err != nil {
		return sample{}, err
	}
	return sample{
		perSecond: report.perSecond, cpu: map[string]time.Duration{"postgres": (after - before) / time.Duration(report.transactions)},
	}, nil
}

// sessionsEnd is how long the sessions of pgbench may take to end; their CPU time is then included in PostgreSQL's.
const sessionsEnd = 200 * time.Millisecond

type throughput struct {
	perSecond    float64
	transactions int64
}

var (
	// progressOf matches the rate of each second, overall the rate of the whole run without the time of connecting.
	progressOf = regexp.MustCompile(`(?m)^progress: ([0-9.]+) s, ([0-9.]+) tps`)
	overall    = regexp.MustCompile(`tps = ([0-9.]+)`)
	processed  = regexp.MustCompile(`number of transactions actually processed: (\d+)`)
	noneFailed = "number of failed transactions: 0 "
)

// readReport returns the rate of the seconds after the warm-up. A run that ended earlier has the rate of the whole run.
func readReport(text string, warm int) (throughput, error) {
	all, count := overall.FindStringSubmatch(text), processed.FindStringSubmatch(text)
	if all == nil || count == nil || !strings.Contains(text, noneFailed) {
		return throughput{}, fmt.Errorf("pgbench did not complete its transactions:\n%s", lastLines(text))
	}
	transactions, err := strconv.ParseInt(count[1], 10, 64)
	if err != nil || transactions == 0 {
		return throughput{}, errors.Join(errors.New("pgbench executed no transaction"), err)
	}
	rate, err := strconv.ParseFloat(all[1], 64)
	if err != nil {
		return throughput{}, err
	}
	var sum float64
	seconds := progressOf.FindAllStringSubmatch(text, -1)
	if len(seconds) <= warm {
		return throughput{rate, transactions}, nil
	}
	for _, second := range seconds[warm:] {
		one, err := strconv.ParseFloat(second[2], 64)
		if err != nil {
			return throughput{}, err
		}
		sum += one
	}
	return throughput{sum / float64(len(seconds)-warm), transactions}, nil
}

// environ returns the environment with which pgbench reaches the database; arguments would be visible to all users.
func (p pgbench) environ() ([]string, error) {
	at, err := url.Parse(p.database)
	if err != nil {
		return nil, errDatabase
	}
	password, _ := at.User.Password()
	return []string{
		"PGHOST=" + at.Hostname(), "PGPORT=" + at.Port(), "PGUSER=" + at.User.Username(), "PGPASSWORD=" + password,
		"PGDATABASE=" + strings.TrimPrefix(at.Path, "/"), "PGSSLMODE=disable",
	}, nil
}

// findPgbench finds the program, which Debian does not put into PATH.
func findPgbench() (string, error) {
	if program, err := exec.LookPath("pgbench"); err == nil {
		return program, nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench")
	if len(found) == 0 {
		return "", errors.New("pgbench is not installed: it comes with the PostgreSQL server (Debian package postgresql)")
	}
	return found[len(found)-1], nil
}
