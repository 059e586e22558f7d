package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

type tree struct {
	dir, binaries string
	chart         *chart
}

func build(ctx context.Context, dir, binaries string) (*tree, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if binaries, err = filepath.Abs(binaries); err != nil {
		return nil, err
	}
	arguments := []string{"build", "-trimpath", "-tags=nomsgpack", "-ldflags=-s -w", "-o", binaries + "/"}
	for _, name := range services {
		arguments = append(arguments, fmt.Sprintf("./services/%[1]s/cmd/%[1]s", name))
	}
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir, command.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the services of %s: %w\n%s", dir, err, lastLines(string(output)))
	}
	values, err := readChart(dir)
	return &tree{dir: dir, binaries: binaries, chart: values}, err
}
