// Command generated lists orders with the client that oapi-codegen has made, and prints the generator's name and the first
// order's number. It builds once the client is generated.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"sellerapi.dev/proto/clients/generated/client"
)

func main() {
	api, err := client.NewClientWithResponses(os.Getenv("GATEWAY_URL"))
	if err != nil {
		log.Fatal(err)
	}
	limit := 1
	page, err := api.ListOrdersWithResponse(context.Background(), &client.ListOrdersParams{Limit: &limit}, key)
	if err != nil {
		log.Fatal(err)
	}
	if page.JSON200 == nil || len(page.JSON200.Data.List) == 0 {
		log.Fatalf("%s: %s", page.Status(), page.Body)
	}
	fmt.Println("oapi-codegen", page.JSON200.Data.List[0].OrderNo)
}

// key puts the API key into a request.
func key(_ context.Context, request *http.Request) error {
	request.Header.Set("X-Api-Key", os.Getenv("SELLER_KEY"))
	return nil
}
