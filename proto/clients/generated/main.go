// Command generated lists orders with the clients that Go generators have generated, and prints the generator's name and the
// first order's number. It builds once the clients are generated.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"sellerapi.dev/proto/clients/generated/client"
	"sellerapi.dev/proto/clients/generated/ogenclient"
)

// callers list orders, each with the client of one generator, and return the first order's number.
var callers = []struct {
	generator string
	call      func(ctx context.Context, address, key string) (string, error)
}{
	{"oapi-codegen", withOapiCodegen},
	{"ogen", withOgen},
}

// carriers are the constants that oapi-codegen generates from the contract's names (x-enum-varnames) for values that are not
// identifiers. If a name changes or is no longer read, this does not compile.
var carriers = []client.CarrierName{
	client.CarrierCJ, client.CarrierPost, client.CarrierHanjin,
	client.CarrierLotte, client.CarrierLogen,
}

func main() {
	for _, carrier := range carriers {
		if !carrier.Valid() {
			log.Fatalf("%q is no carrier of the contract", carrier)
		}
	}

	for _, caller := range callers {
		number, err := caller.call(context.Background(), os.Getenv("GATEWAY_URL"), os.Getenv("SELLER_KEY"))
		if err != nil {
			log.Fatalf("%s: %v", caller.generator, err)
		}
		fmt.Println(caller.generator, number)
	}
}

func withOapiCodegen(ctx context.Context, address, key string) (string, error) {
	api, err := client.NewClientWithResponses(address)
	if err != nil {
		return "", err
	}
	limit := 1
	page, err := api.ListOrdersWithResponse(ctx, &client.ListOrdersParams{Limit: &limit},
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("X-Api-Key", key)
			return nil
		})
	if err != nil {
		return "", err
	}
	if page.JSON200 == nil || len(page.JSON200.Data.List) == 0 {
		return "", fmt.Errorf("%s: %s", page.Status(), page.Body)
	}
	return page.JSON200.Data.List[0].OrderNo, nil
}

type apiKey string

// ApiKey returns the key.
func (k apiKey) ApiKey(context.Context, ogenclient.OperationName) (ogenclient.ApiKey, error) { //nolint:revive // ogen's name
	return ogenclient.ApiKey{APIKey: string(k)}, nil
}

func withOgen(ctx context.Context, address, key string) (string, error) {
	api, err := ogenclient.NewClient(address, apiKey(key))
	if err != nil {
		return "", err
	}
	answer, err := api.ListOrders(ctx, ogenclient.ListOrdersParams{Limit: ogenclient.NewOptInt(1)})
	if err != nil {
		return "", err
	}
	page, listed := answer.(*ogenclient.OrderPageHeaders)
	if !listed || len(page.Response.Data.List) == 0 {
		return "", fmt.Errorf("%T", answer)
	}
	return page.Response.Data.List[0].OrderNo, nil
}
