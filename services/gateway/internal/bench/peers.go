package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"
	"text/template"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/launch/goal"
)

type peer struct {
	name string
	// what it is, for people who do not have it.
	what string
	// bar is the least number of the gateway's requests per second for one of the peer's.
	bar float64
	// start starts it, and returns the names of the windows that it writes to Redis; see startNginx.
	start func(ctx context.Context, b *bench) (server *launch.Server, windows []string, err error)
}

// allPeers returns the gateways to compare with, in the order in which they are measured.
func allPeers() []peer {
	return []peer{{name: "nginx", what: "nginx with its Lua module", bar: 0.75, start: startNginx}}
}

var (
	errNotInstalled = errors.New("not installed")
	// errNotCounted says that a peer answered without counting the calls in Redis.
	errNotCounted = errors.New("no window in Redis")
)

type running struct {
	peer
	server  *launch.Server
	windows []string
}

const logTail = 2000

func (r running) lastWords() string {
	text, err := os.ReadFile(filepath.Join(r.server.Dir, "log"))
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("the log of %s ends with:\n%s", r.name, text[max(0, len(text)-logTail):])
}

// peers prints what reads cost on the gateway and on other gateways, of those that are installed.
func (b *bench) peers(ctx context.Context) (err error) {
	var started []running
	defer func() {
		for _, one := range started {
			err = errors.Join(err, one.server.Stop())
		}
	}()
	for _, one := range allPeers() {
		server, windows, err := one.start(ctx, b)
		if errors.Is(err, errNotInstalled) {
			b.print("\n%s is not installed: not compared", one.what)
			continue
		}
		if err != nil {
			return err
		}
		started = append(started, running{one, server, windows})
	}
	if len(started) == 0 {
		return nil
	}
	return b.compare(ctx, started)
}

func (b *bench) compare(ctx context.Context, peers []running) error {
	if err := b.warmUp(ctx); err != nil {
		return err
	}
	sides := []side{b.gateway()}
	for _, one := range peers {
		sides = append(sides, side{one.name, one.server.PID(), fmt.Sprintf("127.0.0.1:%d", one.server.Port)})
	}
	b.announce()
	b.progress("%s: %d × %s on each side", fullPage.name, b.Rounds, b.Time)
	samples, err := b.inTurns(ctx, sides, fullPage)
	if err != nil {
		for _, one := range peers {
			b.progress("%s", one.lastWords())
		}
		return err
	}
	if err := b.printPeers(sides, samples); err != nil {
		return err
	}
	for i, one := range peers {
		bar := goal.Bar{Name: fmt.Sprintf("%s, of %s", fullPage.name, one.what), Unit: "x", AtLeast: one.bar}
		b.report.Goals = append(b.report.Goals, bar.Compare(median(ratios(samples[0], samples[i+1], rate))))
		if err := b.checkWindows(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

// checkWindows prints how many keys have a window that the peer has written, and returns errNotCounted if there is none.
func (b *bench) checkWindows(ctx context.Context, one running) error {
	count, err := b.client.Exists(ctx, one.windows...).Result()
	if err != nil {
		return err
	}
	if count == 0 {
		return fmt.Errorf("%s: %w", one.name, errNotCounted)
	}
	b.print("%s has counted in the windows of %d of %d keys", one.name, count, len(one.windows))
	return nil
}

// announce prints what is compared, and what is in whose favour.
func (b *bench) announce() {
	b.print(`
other gateways: reads of a full page, %d concurrent clients, responses of %d bytes, %d rounds of %s; medians (least–greatest).
All use every processor, keep connections to clients, service and Redis open, and write a line of access log for each request,
which is
discarded. None traces. nginx has as many workers as there are processors, buffers that hold a whole response, and the
gateway's own
script for reads, with windows of its own in the same Redis; it was seen to refuse an unknown key and a full window.
In favour of nginx: it knows nothing of a key but a digest, sends clients no headers about their windows, does not sign calls
for the
service, and keeps no metrics. In favour of the gateway: calls that wait for Redis at the same time share a command.`,
		b.Connections, len(page), b.Rounds, b.Time)
}

func (b *bench) printPeers(sides []side, samples [][]sample) error {
	out := tabwriter.NewWriter(b.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(out, "\trequests/s\tCPU\tRedis\trequests/s, gateway : it\tCPU, gateway : it\t")
	for i, s := range sides {
		report := PeerReport{
			Side: s.name, PerSecond: spreadOf(each(samples[i], rate)),
			ProcessCPU: spreadOf(each(samples[i], processCPU)), RedisCPU: spreadOf(each(samples[i], redisCPU)),
			GatewayPerSecond: spreadOf(ratios(samples[0], samples[i], rate)),
			GatewayCPU:       spreadOf(ratios(samples[0], samples[i], processCPU)),
		}
		b.report.Peers = append(b.report.Peers, report)
		_, _ = fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t\n", s.name, report.PerSecond.text(0, ""), report.ProcessCPU.text(0, "µs"),
			report.RedisCPU.text(0, "µs"), report.GatewayPerSecond.text(2, ""), report.GatewayCPU.text(2, ""))
	}
	return out.Flush()
}

// writeTemplate writes a configuration that only its owner can read, because it holds the password of Redis.
func writeTemplate(path string, from *template.Template, values any) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return from.Execute(file, values)
}
