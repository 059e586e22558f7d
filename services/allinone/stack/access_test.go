package stack

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"sellerapi.dev/pkg/rpc"
)

// The access table lists exactly the methods of all services. A method without a row would be refused to every caller, and
// a row without a method is misspelt.
func TestAccess(t *testing.T) {
	t.Parallel()
	var methods []string
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		options, ok := file.Options().(*descriptorpb.FileOptions)
		if !ok || !strings.HasPrefix(options.GetGoPackage(), "sellerapi.dev/proto/") {
			return true
		}
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			for n := range service.Methods().Len() {
				methods = append(methods, "/"+string(service.FullName())+"/"+string(service.Methods().Get(n).Name()))
			}
		}
		return true
	})
	slices.Sort(methods)
	require.Greater(t, len(methods), 30, "the contracts of all services are registered")
	require.Equal(t, methods, rpc.Procedures())
}
