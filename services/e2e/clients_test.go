package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"

	"sellerapi.dev/proto/clients/cli/example/mirror"
	sellerapi "sellerapi.dev/proto/clients/go"
)

// mirrorProgram runs the example program of a client with an environment and arguments, and returns its output and
// how it ended.
type mirrorProgram func(t *testing.T, environment map[string]string, arguments ...string) (string, error)

// mirrorPrograms are the example programs of all clients. They print the same texts and write the same file.
var mirrorPrograms = map[string]mirrorProgram{"go": mirrorInGo, "typescript": mirrorInTypeScript, "python": mirrorInPython}

func mirrorInGo(t *testing.T, environment map[string]string, arguments ...string) (string, error) {
	t.Helper()
	var said bytes.Buffer
	err := mirror.Run(t.Context(), arguments, func(name string) string { return environment[name] }, &said)
	return said.String(), err
}

func mirrorInTypeScript(t *testing.T, environment map[string]string, arguments ...string) (string, error) {
	t.Helper()
	program, err := typeScriptMirror()
	require.NoError(t, err)
	return runMirror(t, environment, append([]string{"node", program}, longFlags(arguments)...)...)
}

func mirrorInPython(t *testing.T, environment map[string]string, arguments ...string) (string, error) {
	t.Helper()
	program := filepath.Join(pythonClient, "example", "main.py")
	return runMirror(t, environment, append([]string{"python3", "-B", program}, longFlags(arguments)...)...)
}

var pythonClient = filepath.Join(root, "proto", "clients", "python")

// pythonEnvironment lets a Python program find the client.
func pythonEnvironment() []string {
	return []string{"PYTHONPATH=" + filepath.Join(pythonClient, "src")}
}

// longFlags writes flags with two hyphens, where Go accepts one as well.
func longFlags(arguments []string) []string {
	long := slices.Clone(arguments)
	for i, argument := range long {
		if strings.HasPrefix(argument, "-") {
			long[i] = "-" + argument
		}
	}
	return long
}

func runMirror(t *testing.T, environment map[string]string, arguments ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), arguments[0], arguments[1:]...) //nolint:gosec // the commands of this file
	command.Env = pythonEnvironment()
	for name, value := range environment {
		command.Env = append(command.Env, name+"="+value)
	}
	var said, problems bytes.Buffer
	command.Stdout, command.Stderr = &said, &problems
	if err := command.Run(); err != nil {
		return said.String(), fmt.Errorf("%s (%w)", strings.TrimSpace(problems.String()), err)
	}
	return said.String(), nil
}

var typeScriptMirror = sync.OnceValues(func() (string, error) {
	folder, err := filepath.Abs(filepath.Join(root, "proto", "clients", "ts"))
	if err != nil {
		return "", err
	}
	npm := func(arguments ...string) error {
		command := exec.CommandContext(context.Background(), "npm", append([]string{"--prefix", folder}, arguments...)...)
		command.Dir = folder
		if said, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("npm %s: %w\n%s", strings.Join(arguments, " "), err, said)
		}
		return nil
	}
	if _, missing := os.Stat(filepath.Join(folder, "node_modules", ".package-lock.json")); missing != nil {
		if err := npm("ci"); err != nil {
			return "", err
		}
	}
	return filepath.Join(folder, "dist", "example", "main.js"), npm("run", "build")
})

// The scenario of the examples on the real system: a first copy over several pages, a CSV file of parcels of which
// some can be shipped, the same file again. The program's output and its database must agree with the server.
func TestMirror_collectsAndShipsOrders(t *testing.T) {
	t.Parallel()
	for language, program := range mirrorPrograms {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			s := stacktest.Use(t)
			seller, dir := s.Seller(t), t.TempDir()
			file, list := filepath.Join(dir, "orders.db"), filepath.Join(dir, "today.csv")
			environment := map[string]string{"SELLER_API_URL": s.Witnessed(t), "SELLER_API_KEY": seller.Key, "PATH": os.Getenv("PATH")}
			s.PlaceMany(t, 104, seller.ID)
			twoLines := s.PlaceNew(t, seller.ID, stacktest.Lines(stacktest.NewLine("순면 티셔츠"), stacktest.NewLine("린넨 셔츠")))
			held, gone := s.PlaceNew(t, seller.ID), s.PlaceNew(t, seller.ID, stacktest.InState("shipping"))
			s.HoldLine(t, itemOf(held, 0))

			said, err := program(t, environment, "-db", file, "-once")
			require.NoError(t, err)
			require.Equal(t, "collected 107 orders\n", said)
			requireMirrored(t, s, seller, file)

			unknown := uuid.NewString()
			require.NoError(t, os.WriteFile(list, fmt.Appendf(nil, "order_no,item_id,carrier,tracking_no\n"+
				"%[1]s,%[2]s,CJ대한통운,6123-4567-8904\n%[1]s,%[3]s,CJ대한통운,6123-4567-8904\n"+
				"%[4]s,%[5]s,한진택배,123\n%[6]s,%[7]s,한진택배,124\n%[6]s,%[8]s,한진택배,125\n",
				twoLines.GetOrderNo(), itemOf(twoLines, 0), itemOf(twoLines, 1), held.GetOrderNo(), itemOf(held, 0),
				gone.GetOrderNo(), itemOf(gone, 0), unknown), 0o600))
			said, err = program(t, environment, "-db", file, "-once", "-ship", list)
			require.ErrorContains(t, err, "3 items were refused, 0 have a doubtful number")
			require.Contains(t, said, fmt.Sprintf("shipped %s %s \n", twoLines.GetOrderNo(), itemOf(twoLines, 0)))
			require.Contains(t, said, fmt.Sprintf("shipped %s %s \n", twoLines.GetOrderNo(), itemOf(twoLines, 1)))
			require.Contains(t, said, fmt.Sprintf("refused %s %s ORDER_ITEM_HAS_ACTIVE_CLAIM: ", held.GetOrderNo(), itemOf(held, 0)))
			require.Contains(t, said, fmt.Sprintf("refused %s %s shipping in another parcel\n", gone.GetOrderNo(), itemOf(gone, 0)))
			require.Contains(t, said, fmt.Sprintf("refused %s %s not in the mirror\n", gone.GetOrderNo(), unknown))

			said, _ = program(t, environment, "-db", file, "-once", "-ship", list)
			require.Contains(t, said, fmt.Sprintf("left %s %s shipping\n", twoLines.GetOrderNo(), itemOf(twoLines, 1)))
			_, err = program(t, environment, "-db", file, "-once")
			require.NoError(t, err)
			requireMirrored(t, s, seller, file)
			require.Equal(t, "612345678904", mirrored(t, file).items[itemOf(twoLines, 1)]["tracking_no"])
		})
	}
}

// A program of one language can continue with the file that another one has written.
func TestMirror_sameFileInEveryLanguage(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller, dir := s.Seller(t), t.TempDir()
	for _, status := range []string{"paid", "preparing", "shipping", "delivered", "confirmed", "canceled", "returned", "exchanged"} {
		s.PlaceNew(t, seller.ID, stacktest.InState(status))
	}
	environment := map[string]string{"SELLER_API_URL": s.Witnessed(t), "SELLER_API_KEY": seller.Key, "PATH": os.Getenv("PATH")}
	for language, program := range mirrorPrograms {
		_, err := program(t, environment, "-db", filepath.Join(dir, language), "-once")
		require.NoError(t, err)
	}
	requireSameFiles(t, dir)
	s.PlaceNew(t, seller.ID)
	for language, program := range mirrorPrograms {
		other := map[string]string{"go": "typescript", "typescript": "python", "python": "go"}[language]
		said, err := program(t, environment, "-db", filepath.Join(dir, other), "-once")
		require.NoError(t, err, language)
		require.Equal(t, "collected 1 orders\n", said)
	}
	requireSameFiles(t, dir)
}

func requireSameFiles(t *testing.T, dir string) {
	t.Helper()
	for language := range mirrorPrograms {
		require.Equal(t, mirrored(t, filepath.Join(dir, "go")), mirrored(t, filepath.Join(dir, language)), language)
	}
}

func itemOf(order *ordersv1.Order, line int) string {
	return order.GetSellers()[0].GetLines()[line].GetItemId()
}

// How the Go client represents real responses: results, codes, details, replays, limits.
func TestGoClient_realAnswers(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	order := s.PlaceNew(t, seller.ID)
	client, err := sellerapi.New(s.GatewayURL, seller.Key, sellerapi.WithHTTPClient(stacktest.HTTPClient(t)),
		sellerapi.WithLanguage("ko"))
	require.NoError(t, err)
	number, items := order.GetOrderNo(), sellerapi.ItemsRequest{ItemIDs: []string{itemOf(order, 0)}}

	prepared, err := client.PrepareOrder(t.Context(), number, items, sellerapi.Key("first"))
	require.NoError(t, err)
	require.Equal(t, sellerapi.ItemPreparing, prepared.Items[0].ItemStatus)
	var info sellerapi.ResponseInfo
	again, err := client.PrepareOrder(t.Context(), number, items, sellerapi.Key("first"), sellerapi.Capture(&info))
	require.NoError(t, err)
	require.Equal(t, prepared, again)
	require.Equal(t, [3]any{true, 30, "first"}, [3]any{info.Replayed, info.Limit, info.IdempotencyKey})

	_, err = client.DeliverOrder(t.Context(), number, items)
	require.ErrorIs(t, err, sellerapi.CodeOrderItemNotDeliverable)
	var refused *sellerapi.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, http.StatusConflict, refused.Status)
	require.Equal(t, []sellerapi.ItemProblem{{ItemID: items.ItemIDs[0], ItemStatus: sellerapi.ItemPreparing}}, refused.Data.Items)

	_, err = client.PrepareOrder(t.Context(), number, sellerapi.ItemsRequest{})
	require.True(t, errors.As(err, &refused) && refused.Code == sellerapi.CodeValidationError)
	_, there := refused.Field("item_ids")
	require.True(t, there, "%v", refused.Data.Errors)

	shipment := sellerapi.ShipmentRequest{ItemIDs: items.ItemIDs, CarrierName: sellerapi.CarrierCJ, TrackingNo: "6123-4567-8904"}
	_, err = client.ShipOrder(t.Context(), number, shipment)
	require.NoError(t, err)
	shipment.TrackingNo = "6123-4567-8915"
	_, err = client.ShipOrder(t.Context(), number, shipment)
	require.ErrorIs(t, err, sellerapi.CodeShipmentStateConflict)
	delivered, err := client.DeliverOrder(t.Context(), number, items)
	require.NoError(t, err)
	require.Equal(t, "612345678904", delivered.Items[0].TrackingNo)

	read, err := client.GetOrder(t.Context(), number)
	require.NoError(t, err)
	require.Equal(t, delivered.UpdatedAt, read.UpdatedAt)
	for found, err := range client.Orders(t.Context(), sellerapi.OrderFilter{
		StatusChangedTo: sellerapi.ItemShipping, StatusChangedAtGte: *read.Items[0].ShippedAt,
		StatusChangedAtLte: *read.Items[0].ShippedAt,
	}) {
		require.NoError(t, err)
		require.Equal(t, read, found)
	}
	_, err = client.ListOrders(t.Context(), sellerapi.OrderFilter{Cursor: "not-a-cursor"})
	require.ErrorIs(t, err, sellerapi.CodeInvalidCursor)
}
