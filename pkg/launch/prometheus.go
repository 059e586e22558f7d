package launch

import (
	"context"
	"fmt"
	"net/http"
	"syscall"
	"time"
)

var prometheusKind = &kind{
	name:          "Prometheus",
	prepare:       func(context.Context, *home, Options) error { return nil },
	command:       prometheusCommand,
	url:           func(_ *home, port int) string { return "http://" + address(port) },
	probe:         probePrometheus,
	afterStart:    func(context.Context, string) error { return nil },
	portTaken:     "address already in use",
	onParentDeath: syscall.SIGKILL,
	stop:          []step{{syscall.SIGTERM, 15 * time.Second}, {syscall.SIGKILL, time.Minute}},
}

// configurationSetting is the name of the setting that holds the whole configuration.
const configurationSetting = "prometheus.yml"

// Prometheus starts Prometheus with the configuration, the text of a prometheus.yml, on the data below dir and returns when
// it answers. It runs as the current user, who can read the files that the configuration names, and requires no password:
// the services' metrics are not secret on their own machine. The context bounds the start only.
func Prometheus(ctx context.Context, dir, configuration string) (*Server, error) {
	return prometheusKind.start(ctx, dir, nil, Options{Settings: map[string]string{configurationSetting: configuration}})
}

func prometheusCommand(h *home, port int, options Options) ([]string, error) {
	program, err := system().program("prometheus", "Prometheus", "prometheus")
	if err != nil {
		return nil, err
	}
	if err := h.write(configurationSetting, options.Settings[configurationSetting]); err != nil {
		return nil, err
	}
	return []string{
		program, "--config.file=" + h.path(configurationSetting), "--storage.tsdb.path=" + h.path("data"),
		"--web.listen-address=" + address(port),
		"--enable-feature=exemplar-storage",
	}, nil
}

func probePrometheus(ctx context.Context, server string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server+"/-/ready", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("Prometheus is not ready: %s", response.Status)
	}
	return nil
}
