package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// settings reads the values of flags from the environment. It replaces kong's implementation, which stops at the first invalid
// value and quotes it in the error, even if it is secret.
type settings struct {
	lookup   func(name string) (string, bool)
	readFile func(name string) ([]byte, error)
	names    map[*kong.Value][]string
}

// takeEnvironment moves the names of environment variables from kong's flags to the settings.
func (s *settings) takeEnvironment(k *kong.Kong) error {
	s.names = map[*kong.Value][]string{}
	return kong.Visit(k.Model.Node, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok && len(flag.Tag.Envs) > 0 {
			s.names[flag.Value] = flag.Tag.Envs
			flag.Tag.Envs, flag.Envs = nil, nil
		}
		return next(nil)
	})
}

func (s *settings) help(value *kong.Value) string {
	names := s.names[value]
	if len(names) == 0 {
		return value.Help
	}
	return fmt.Sprintf("%s ($%s)", value.Help, strings.Join(names, ", $"))
}

// text returns the value of a flag from the environment, or from the file that NAME_FILE names. Empty counts as not set.
func (s *settings) text(flag *kong.Flag) (string, bool, error) {
	for _, name := range s.names[flag.Value] {
		if text, ok := s.lookup(name); ok && text != "" {
			return text, true, nil
		}
		file, ok := s.lookup(name + "_FILE")
		if !ok || file == "" {
			continue
		}
		content, err := s.readFile(file)
		if err != nil {
			return "", false, fmt.Errorf("%s_FILE: %w", name, err)
		}
		if text := strings.TrimRight(string(content), "\r\n"); text != "" {
			return text, true, nil
		}
	}
	return "", false, nil
}

func (s *settings) resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	text, ok, err := s.text(flag)
	if err != nil || !ok {
		return nil, err
	}
	return text, nil
}

func (s *settings) problems(parser *kong.Kong, args []string) []error {
	trace, err := kong.Trace(parser, args)
	if err != nil {
		return []error{err}
	}
	given := map[*kong.Flag]bool{}
	for _, step := range trace.Path {
		if step.Flag != nil {
			given[step.Flag] = true
		}
	}
	if given[parser.Model.HelpFlag] || trace.Selected() == nil && trace.Error == nil {
		return nil // kong prints the help or the missing command
	}
	var problems []error
	if trace.Error != nil {
		problems = append(problems, trace.Error)
	}
	for _, flag := range trace.Flags() {
		if given[flag] {
			continue
		}
		// The arguments after an invalid one were not read, so that missing ones cannot be reported.
		if err := s.check(flag, trace.Error == nil); err != nil {
			problems = append(problems, err)
		}
	}
	return problems
}

func (s *settings) check(flag *kong.Flag, mayBeMissing bool) error {
	text, ok, err := s.text(flag)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", s.label(flag), err)
	case !ok && flag.Required && !flag.HasDefault && mayBeMissing:
		return fmt.Errorf("%s: required", s.label(flag))
	case !ok:
		return nil
	}
	scratch := reflect.New(flag.Target.Type()).Elem()
	value := *flag.Value // a copy, because parsing marks the value as set
	scan := kong.ScanFromTokens(kong.Token{Type: kong.FlagValueToken, Value: text})
	if err := value.Mapper.Decode(&kong.DecodeContext{Value: &value, Scan: scan}, scratch); err != nil {
		return fmt.Errorf("%s: %w", s.label(flag), err)
	}
	if allowed := value.EnumMap(); value.Enum != "" && !allowed[settingText(scratch)] {
		return fmt.Errorf("%s: must be one of %s", s.label(flag), value.Enum)
	}
	return nil
}

func (s *settings) label(flag *kong.Flag) string {
	if names := s.names[flag.Value]; len(names) > 0 {
		return fmt.Sprintf("--%s (%s)", flag.Name, strings.Join(names, ", "))
	}
	return "--" + flag.Name
}

type settingsKey struct{}

// withSettings stores the settings of the command in the context, for the first log line. Secrets are masked.
func withSettings(ctx context.Context, parsed *kong.Context) context.Context {
	var attrs []any
	for _, flag := range parsed.Flags() {
		if flag != parsed.Model.HelpFlag {
			attrs = append(attrs, slog.String(flag.Name, settingText(flag.Target)))
		}
	}
	return context.WithValue(ctx, settingsKey{}, slog.Group("settings", attrs...))
}

// settingText formats a setting for the log. A setting that may be absent is a pointer, and empty if it is.
func settingText(setting reflect.Value) string {
	for setting.Kind() == reflect.Pointer {
		if setting.IsNil() {
			return ""
		}
		setting = setting.Elem()
	}
	return fmt.Sprint(setting.Interface())
}

// settingsAttr is the group of settings for the log, empty when the service was not started by Main.
func settingsAttr(ctx context.Context) slog.Attr {
	attr, _ := ctx.Value(settingsKey{}).(slog.Attr)
	return attr
}

// validate calls Validate on every exported part of a configuration and joins the errors. The method of an embedded part is
// promoted to the whole, so the same error may occur twice; it is reported once.
func validate(config any) error {
	var problems []error
	told := map[string]bool{}
	var visit func(value reflect.Value)
	visit = func(value reflect.Value) {
		if value.Kind() != reflect.Struct {
			return
		}
		if v, ok := value.Addr().Interface().(interface{ Validate() error }); ok {
			if err := v.Validate(); err != nil && !told[err.Error()] {
				told[err.Error()] = true
				problems = append(problems, err)
			}
		}
		for n := range value.NumField() {
			if value.Type().Field(n).IsExported() {
				visit(value.Field(n))
			}
		}
	}
	visit(reflect.ValueOf(config).Elem())
	return errors.Join(problems...)
}
