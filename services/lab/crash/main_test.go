package crash

import (
	"flag"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"sellerapi.dev/pkg/service/servicetest"
)

// systems is how many tests run in parallel. They wait for processes and for the pause before a refund is asked for
// again, not for the CPU.
const systems = "8"

// programs builds the services once for all tests of this package; TestMain removes them.
var programs = sync.OnceValues(func() (string, error) {
	var err error
	built, err = servicetest.Build(
		"sellerapi.dev/services/orders/cmd/orders", "sellerapi.dev/services/claims/cmd/claims",
		"sellerapi.dev/services/gateway/cmd/gateway", "sellerapi.dev/services/qna/cmd/qna",
		"sellerapi.dev/proto/clients/cli/cmd/sellerapi")
	return built, err
})

// built is the folder of the built programs, empty before they are built.
var built string

func TestMain(m *testing.M) {
	if os.Getenv(readerURL) != "" {
		panic(runReader())
	}
	flag.Parse()
	if err := flag.Set("test.parallel", systems); err != nil {
		panic(err)
	}
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(filepath.Clean(built))
	}
	os.Exit(code)
}
