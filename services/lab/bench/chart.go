package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sellerapi.dev/pkg/trust"
)

var errChart = errors.New("the values of the chart")

// chart holds the values of a tree's Helm chart that configure its services, as far as they do not depend on a cluster.
type chart struct {
	Telemetry struct {
		SampleRatio float64 `yaml:"traceSampleRatio"`
	} `yaml:"telemetry"`
	Bodies struct {
		MemoryMiB int `yaml:"memoryMiB"`
	} `yaml:"bodies"`
	Clients struct {
		Refused     int `yaml:"refusedPerMinute"`
		Connections int `yaml:"connectionsPerAddress"`
	} `yaml:"clients"`
	Database struct {
		RowSecurity *bool `yaml:"rowSecurity"`
	} `yaml:"database"`
	Defaults podValues            `yaml:"defaults"`
	Rest     map[string]yaml.Node `yaml:",inline"`
}

// podValues are the values that each service can override.
type podValues struct {
	LogLevel  string `yaml:"logLevel"`
	MaxConns  int    `yaml:"databaseMaxConns"`
	Drain     int    `yaml:"drainWaitSeconds"`
	Resources struct {
		Limits struct {
			Memory string `yaml:"memory"`
			CPU    string `yaml:"cpu"`
		} `yaml:"limits"`
	} `yaml:"resources"`
}

func readChart(tree string) (*chart, error) {
	text, err := os.ReadFile(filepath.Join(tree, "charts/seller-open-api/values.yaml"))
	if err != nil {
		return nil, errors.Join(errChart, err)
	}
	c := &chart{}
	if err := yaml.Unmarshal(text, c); err != nil {
		return nil, errors.Join(errChart, err)
	}
	return c, nil
}

func (c *chart) trusted(private map[trust.Party]trust.PrivateKey) string {
	var all []string
	for _, party := range trust.Parties() {
		if c.hasKey(party) {
			all = append(all, string(party)+"="+private[party].Public())
		}
	}
	return strings.Join(all, ",")
}

// hasKey reports whether a party has a key of its own: the issuer and every service for which the chart has values.
func (c *chart) hasKey(party trust.Party) bool {
	_, isInstalled := c.Rest[string(party)]
	return isInstalled || party == trust.Issuer
}

func (c *chart) pod(service string) (settings, error) {
	values := c.Defaults
	if own, given := c.Rest[service]; given {
		if err := own.Decode(&values); err != nil {
			return nil, errors.Join(errChart, err)
		}
	}
	s := settings{
		"LOG_LEVEL": values.LogLevel, "DATABASE_MAX_CONNS": strconv.Itoa(values.MaxConns),
		"DRAIN_WAIT":         fmt.Sprintf("%ds", values.Drain),
		"TRACE_SAMPLE_RATIO": strconv.FormatFloat(c.Telemetry.SampleRatio, 'g', -1, 64),
	}
	if c.Database.RowSecurity != nil && !*c.Database.RowSecurity {
		s["DATABASE_ROW_SECURITY"] = "off"
	}
	if limit := goMemoryLimit(values.Resources.Limits.Memory); limit != "" {
		s["GOMEMLIMIT"] = limit
	}
	if cores, err := strconv.Atoi(values.Resources.Limits.CPU); err == nil {
		s["GOMAXPROCS"] = strconv.Itoa(cores) // what Go derives from a pod's limit by itself
	}
	return s, nil
}

// goMemoryLimit returns nine tenths of a limit in MiB or GiB, as the chart computes it.
func goMemoryLimit(limit string) string {
	for unit, mebi := range map[string]int{"Mi": 1, "Gi": 1024} {
		if n, err := strconv.Atoi(strings.TrimSuffix(limit, unit)); err == nil && strings.HasSuffix(limit, unit) {
			return fmt.Sprintf("%dMiB", n*mebi*9/10)
		}
	}
	return ""
}

func (c *chart) gateway() settings {
	return settings{
		"BODY_MEMORY_MIB": strconv.Itoa(c.Bodies.MemoryMiB), "RATE_REFUSED": strconv.Itoa(c.Clients.Refused),
		"CONNECTIONS_PER_ADDRESS": strconv.Itoa(c.Clients.Connections),
	}
}
