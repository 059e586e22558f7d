package vocabulary

import (
	"fmt"
	"slices"

	"github.com/prometheus/prometheus/model/labels"

	"sellerapi.dev/pkg/operation"
)

const jobPrefix = "seller-open-api-"

var values = func() map[string][]string {
	all := map[string][]string{"job": {jobPrefix + "gateway", jobPrefix + "console"}, "route": {"unmatched"}}
	add := func(label, value string) {
		if !slices.Contains(all[label], value) {
			all[label] = append(all[label], value)
		}
	}
	for _, service := range operation.Services() {
		add("job", jobPrefix+string(service))
		add("upstream", string(service))
	}
	for _, op := range operation.All() {
		add("route", op.Path)
		add("method", op.Method)
		add("class", string(op.Class))
	}
	return all
}()

func checkValue(matcher *labels.Matcher) error {
	possible, known := values[matcher.Name]
	if !known {
		return nil
	}
	if !slices.ContainsFunc(possible, matcher.Matches) {
		return fmt.Errorf("%s: there is no such %s, only %q", matcher, matcher.Name, possible)
	}
	negative := matcher.Type == labels.MatchNotEqual || matcher.Type == labels.MatchNotRegexp
	if negative && !slices.ContainsFunc(possible, func(value string) bool { return !matcher.Matches(value) }) {
		return fmt.Errorf("%s: the %s that is left out does not exist; there are %q", matcher, matcher.Name, possible)
	}
	return nil
}
