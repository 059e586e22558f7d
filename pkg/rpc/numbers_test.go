package rpc

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"sellerapi.dev/pkg/telemetry"
)

const contract = `{"name": "test.proto", "package": "test", "syntax": "proto3", "messageType": [
	{"name": "Claim", "field": [
		{"name": "claim_no", "number": 1, "type": "TYPE_STRING", "label": "LABEL_OPTIONAL", "jsonName": "claim_no"},
		{"name": "order_no", "number": 2, "type": "TYPE_STRING", "label": "LABEL_OPTIONAL", "jsonName": "order_no"},
		{"name": "memo", "number": 3, "type": "TYPE_STRING", "label": "LABEL_OPTIONAL", "jsonName": "memo"}]},
	{"name": "Batch", "field": [
		{"name": "claims", "number": 1, "type": "TYPE_MESSAGE", "typeName": ".test.Claim",
			"label": "LABEL_REPEATED", "jsonName": "claims"},
		{"name": "qna_id", "number": 2, "type": "TYPE_INT64", "label": "LABEL_OPTIONAL", "jsonName": "qna_id"}]}]}`

func message(t *testing.T, name, text string) protoreflect.Message {
	t.Helper()
	var file descriptorpb.FileDescriptorProto
	require.NoError(t, protojson.Unmarshal([]byte(contract), &file))
	described, err := protodesc.NewFile(&file, nil)
	require.NoError(t, err)
	m := dynamicpb.NewMessage(described.Messages().ByName(protoreflect.Name(name)))
	require.NoError(t, protojson.Unmarshal([]byte(text), m))
	return m
}

// The log line and the span of a call have the orders and claims of its message, of a batch those of the first entries; nothing
// else of it.
func TestNumbers_ofMessage(t *testing.T) {
	t.Parallel()
	many := telemetry.Numbers{Name: telemetry.OrderNo}
	entries := make([]string, 10*telemetry.MaxNumbers)
	for n := range entries {
		no := "O-" + strconv.Itoa(n)
		entries[n] = `{"order_no": "` + no + `"}`
		if n < telemetry.MaxNumbers {
			many.Values = append(many.Values, no)
		}
	}
	for name, c := range map[string]struct {
		message, text string
		want          []telemetry.Numbers
	}{
		"nothing": {"Claim", `{"memo": "010-1234-5678"}`, nil},
		"both": {
			"Claim", `{"claim_no": "C-1", "order_no": "O-1"}`,
			[]telemetry.Numbers{telemetry.Number("order_no", "O-1"), telemetry.Number("claim_no", "C-1")},
		},
		"empty batch": {"Batch", `{}`, nil},
		"batch": {"Batch", `{"claims": [{"claim_no": "C-1"}, {"claim_no": "C-2"}], "qna_id": "1"}`, []telemetry.Numbers{
			{Name: "claim_no", Values: []string{"C-1", "C-2"}},
		}},
		"large batch": {"Batch", `{"claims": [` + strings.Join(entries, ",") + `]}`, []telemetry.Numbers{many}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, numbersOf(message(t, c.message, c.text)))
		})
	}
}
