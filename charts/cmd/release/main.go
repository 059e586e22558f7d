// Command release is the part of `make release` that reads registries and writes files; .ci/release calls it.
//
//	release platforms IMAGE                 prints a line for each platform: its name and the reference of its image
//	release provenance OPTIONS IMAGE        prints the provenance predicate
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"sellerapi.dev/charts/internal/release"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string, out io.Writer) error {
	commands := map[string]func(context.Context, []string, io.Writer) error{
		"platforms": platforms, "provenance": provenance,
	}
	if len(arguments) == 0 || commands[arguments[0]] == nil {
		return errors.New("want platforms or provenance")
	}
	return commands[arguments[0]](ctx, arguments[1:], out)
}

func platforms(ctx context.Context, arguments []string, out io.Writer) error {
	if len(arguments) != 1 {
		return errors.New("platforms: want an image")
	}
	image, err := release.Inspect(ctx, arguments[0])
	if err != nil {
		return err
	}
	for _, platform := range image.Platforms {
		if _, err := fmt.Fprintln(out, platform.Name, platform.Reference); err != nil {
			return err
		}
	}
	return nil
}

func provenance(ctx context.Context, arguments []string, out io.Writer) error {
	build := release.Build{
		Environment: map[string]string{}, Tools: map[string]string{"go": runtime.Version()}, SBOMs: map[string][]byte{},
		Finished: time.Now().Truncate(time.Second),
	}
	flags := flag.NewFlagSet("provenance", flag.ContinueOnError)
	flags.StringVar(&build.Source, "source", "", "URL of the repository")
	flags.StringVar(&build.Commit, "commit", "", "the commit that was built")
	flags.StringVar(&build.Package, "package", "", "folder of the program in the repository")
	flags.StringVar(&build.Version, "version", "", "version of the release")
	flags.StringVar(&build.Builder, "builder", "", "URI of who built it")
	flags.StringVar(&build.Ldflags, "ldflags", "", "flags of the linker")
	flags.Func("env", "a variable that decides what is built, as NAME=VALUE; can be repeated", pair(build.Environment))
	flags.Func("tool", "a program that built it, as NAME=VERSION; can be repeated", pair(build.Tools))
	flags.Func("started", "when the build began, in seconds since 1970", func(text string) (err error) {
		build.Started, err = seconds(text)
		return err
	})
	flags.Func("sbom", "file of an SBOM in SPDX; can be repeated", func(file string) (err error) {
		build.SBOMs[filepath.Base(file)], err = os.ReadFile(filepath.Clean(file))
		return err
	})
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	image, err := release.Inspect(ctx, flags.Arg(0))
	if err != nil {
		return err
	}
	predicate, err := release.Provenance(build, image)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(predicate)
}

func seconds(text string) (time.Time, error) {
	number, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(number, 0), err
}

func pair(into map[string]string) func(string) error {
	return func(text string) error {
		key, value, found := strings.Cut(text, "=")
		if !found {
			return fmt.Errorf("%q: want NAME=VALUE", text)
		}
		into[key] = value
		return nil
	}
}
