package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"sellerapi.dev/pkg/defaults"
)

const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// Main runs the program name: it reads the command line and the environment into cli, runs the chosen command and ends the
// process. cli is a pointer to a struct with one field for each command:
//
//	service.Main("orders", &struct {
//		Serve service.Command[orders.Config] `cmd:"" help:"Run the service."`
//		service.SchemaCommands
//	}{service.NewCommand(orders.Run), orders.Schema.Commands()})
//
// A custom command is any struct with a method Run that returns an error and takes any of context.Context and io.Writer (standard
// output). The command "version" is added here.
//
// The first SIGINT or SIGTERM ends the command's context; the second one kills the process.
func Main(name string, cli any) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	go releaseWhenIdle(ctx)
	p := program{
		name: name, cli: cli, out: os.Stdout, err: os.Stderr,
		settings: settings{lookup: os.LookupEnv, readFile: os.ReadFile},
	}
	code := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// program is Main without access to the process.
type program struct {
	name     string
	cli      any
	out, err io.Writer
	settings settings
}

func (p *program) run(ctx context.Context, args []string) int {
	exited := -1
	parser, err := kong.New(p.cli,
		kong.Name(p.name),
		kong.Writers(p.out, p.err),
		kong.Exit(func(code int) { exited = code }),
		kong.DynamicCommand("version", "Print the version.", "", &versionCommand{}),
		variables(p.cli),
		kong.PostBuild(p.settings.takeEnvironment),
		kong.ValueFormatter(p.settings.help),
		kong.Resolvers(kong.ResolverFunc(p.settings.resolve)),
	)
	if err != nil {
		return p.fail(exitFailed, fmt.Errorf("command line of the program: %w", err))
	}
	if problems := p.settings.problems(parser, args); len(problems) > 0 {
		return p.report(problems)
	}
	parsed, err := parser.Parse(args)
	if exited >= 0 {
		return exited // --help was given and has been printed
	}
	if err != nil {
		return p.report([]error{err})
	}
	parsed.BindTo(withSettings(ctx, parsed), (*context.Context)(nil))
	parsed.BindTo(p.out, (*io.Writer)(nil))
	if err := parsed.Run(); err != nil && !errors.Is(err, context.Canceled) {
		return p.fail(exitFailed, err)
	}
	return exitOK
}

// variables returns the defaults of the commands' configurations that are defined in code.
func variables(cli any) kong.Vars {
	all, commands := kong.Vars{}, reflect.ValueOf(cli).Elem()
	for n := range commands.NumField() {
		if command, ok := commands.Field(n).Addr().Interface().(defaults.Variables); ok {
			maps.Copy(all, command.Vars())
		}
	}
	return all
}

func (p *program) report(problems []error) int {
	text := strings.ReplaceAll(errors.Join(problems...).Error(), "\n", "\n  ")
	return p.fail(exitUsage, fmt.Errorf("cannot start:\n  %s", text))
}

func (p *program) fail(code int, err error) int {
	_, _ = fmt.Fprintf(p.err, "%s: %v\n", p.name, err)
	return code
}

type versionCommand struct{}

// Run implements the command.
func (*versionCommand) Run(out io.Writer) error {
	_, err := fmt.Fprintln(out, Version())
	return err
}

// Command is a command that is a function of a configuration, such as serving or migrating.
type Command[C any] struct {
	// Config is filled from flags and environment.
	Config C `embed:""`

	run func(context.Context, C) error
}

// NewCommand returns the command that runs run with the configuration.
func NewCommand[C any](run func(context.Context, C) error) Command[C] {
	return Command[C]{run: run}
}

// Run implements the command.
func (c *Command[C]) Run(ctx context.Context) error { return c.run(ctx, c.Config) }

// Vars implements [defaults.Variables] for a configuration that does.
func (c *Command[C]) Vars() kong.Vars {
	if config, ok := any(&c.Config).(defaults.Variables); ok {
		return config.Vars()
	}
	return nil
}

// Validate calls the Validate method of every part of the configuration that has one, and joins their errors.
func (c *Command[C]) Validate() error { return validate(&c.Config) }
