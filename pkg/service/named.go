package service

import (
	"fmt"
	"slices"
	"strings"
)

// readNamed parses "NAME=VALUE,NAME=VALUE", each name known and at most once. An error names the position of the problem and
// quotes nothing.
func readNamed[Name ~string](text string, known []Name) (map[Name]string, error) {
	values := map[Name]string{}
	for i, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if !slices.Contains(known, Name(name)) || value == "" {
			return nil, fmt.Errorf("%d: expected NAME=VALUE with one of the names %v", i+1, known)
		}
		if _, twice := values[Name(name)]; twice {
			return nil, fmt.Errorf("%d: %s is named twice", i+1, name)
		}
		values[Name(name)] = value
	}
	return values, nil
}
