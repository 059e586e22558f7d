package web_test

import (
	"testing"

	"github.com/gin-gonic/gin"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
)

// A bucket refers to a trace: that of its last recorded request.
func TestDurations_carryTrace(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(*gin.Context) (any, error) { return nil, nil })
	s.get("/thing")
	families, err := s.tel.Registry.Gather()
	require.NoError(t, err)
	var traces []string
	for _, family := range families {
		if family.GetName() != telemetry.HTTPDuration.Name {
			continue
		}
		for _, bucket := range family.GetMetric()[0].GetHistogram().GetBucket() {
			traces = append(traces, exampleOf(bucket)...)
		}
	}
	require.Equal(t, []string{s.spans.Ended()[0].SpanContext().TraceID().String()}, traces)
}

func exampleOf(bucket *dto.Bucket) []string {
	if bucket.GetExemplar() == nil {
		return nil
	}
	return []string{bucket.GetExemplar().GetLabel()[0].GetValue()}
}
