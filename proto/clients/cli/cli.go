package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// The exit codes; see the documentation of the package.
const (
	ExitDone = iota
	ExitFailed
	ExitUsage
	ExitPartly
	ExitKey
	ExitUnanswered
)

// World is the environment of the program.
type World struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) string
	// Folder is where login stores the key.
	Folder string
	// Terminal reports whether Err is a terminal, on which progress bars are shown.
	Terminal bool
	// Clock is the program's source of time.
	Clock sellerapi.Clock
}

func say(to io.Writer, format string, values ...any) {
	_, _ = fmt.Fprintln(to, printable(fmt.Sprintf(format, values...)))
}

type commands struct {
	URL      string `name:"url" help:"Address of the system; also in SELLER_API_URL, otherwise the one of login." placeholder:"https://…"`
	Language string `help:"Language of the server's messages: ko or en." default:"ko" enum:"ko,en"`

	Login      login                     `cmd:"" help:"Keep the API key in a file that only you can read."`
	Orders     ordersCommand             `cmd:"" help:"List orders."`
	Claims     claimsCommand             `cmd:"" help:"List claims."`
	QnA        inquiriesCommand          `cmd:"" name:"qna" help:"List product inquiries."`
	History    historyCommand            `cmd:"" help:"Show what happened to an order or a claim, and who caused it."`
	Requests   requestsCommand           `cmd:"" help:"Show what became of calls, and why they were refused."`
	Answer     answerCommand             `cmd:"" help:"Answer a product inquiry."`
	Ship       shipCommand               `cmd:"" help:"Register the parcels of a CSV or Excel file."`
	Correct    correctCommand            `cmd:"" help:"Correct the tracking number of what is on its way."`
	Sync       syncCommand               `cmd:"" help:"Keep a copy of orders, claims and inquiries in a SQLite file."`
	Doctor     doctorCommand             `cmd:"" help:"Look at key, scopes, limits and clock, and say what is wrong."`
	Completion kongcompletion.Completion `cmd:"" help:"Print how to complete commands in bash, zsh or fish."`
}

// errPartly means that a part of the work was refused, which has already been reported.
var errPartly = errors.New("a part was refused")

// output is an output that can be written concurrently and keeps its first failure.
type output struct {
	io.Writer

	mu  sync.Mutex
	err error
}

// Write implements io.Writer.
func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	written, err := o.Writer.Write(text)
	if o.err == nil {
		o.err = err
	}
	return written, err
}

// exit is a panic value that carries the exit code out of kong.
type exit int

// Run runs the command line and returns the exit code.
func Run(ctx context.Context, arguments []string, world World) (code int) {
	var all commands
	out := &output{Writer: world.Out}
	world.Out, world.Err = out, &output{Writer: world.Err}
	defer func() {
		if ended := recover(); ended != nil {
			asked, ok := ended.(exit)
			if !ok {
				panic(ended)
			}
			code = int(asked)
		}
		if out.err != nil && code == ExitDone {
			say(world.Err, "sellerapi: the output is not complete: %v", out.err)
			code = ExitFailed
		}
	}()
	parser, err := newParser(ctx, &world, &all)
	if err != nil {
		say(world.Err, "sellerapi: %v", err)
		return ExitFailed
	}
	kongcompletion.Register(parser)
	arguments, err = decodedAll(arguments)
	if err != nil {
		say(world.Err, "sellerapi: %v", err)
		return ExitUsage
	}
	parsed, err := parser.Parse(arguments)
	if err != nil {
		say(world.Err, "sellerapi: %v\nTry sellerapi --help.", err)
		return ExitUsage
	}
	return world.exitOf(parsed.Run())
}

func newParser(ctx context.Context, world *World, all *commands) (*kong.Kong, error) {
	return kong.New(all,
		kong.Name("sellerapi"),
		kong.Description("Orders, claims and product inquiries of a seller.\n\n"+
			"  sellerapi login --url https://open-api.example.com\n"+
			"  sellerapi orders --status paid\n"+
			"  sellerapi ship today.xlsx --dry-run\n\n"+
			"Exit codes: 0 done, 1 failed, 2 wrong command line, 3 a part was refused, 4 the key is missing or refused, "+
			"5 no answer, try again."),
		kong.Writers(world.Out, world.Err),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Bind(world, all),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
}

func (w World) exitOf(err error) int {
	var refused *sellerapi.Error
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, errPartly):
		return ExitPartly
	}
	say(w.Err, "sellerapi: %v", err)
	switch {
	case errors.Is(err, errNoKey), errors.As(err, &refused) && refused.Code != "" &&
		(refused.Status == 401 || refused.Status == 403):
		return ExitKey
	case sellerapi.Temporary(err):
		return ExitUnanswered
	default:
		return ExitFailed
	}
}
