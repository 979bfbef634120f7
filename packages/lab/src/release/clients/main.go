// Creates, pays and refunds a charge, and reads its statement, with the client that oapi-codegen generates.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"example.org/release/plataforma"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", os.Getenv("API_KEY"))
		return nil
	}
	client := must(plataforma.NewClientWithResponses(os.Getenv("BASE_URL"), plataforma.WithRequestEditorFn(key)))

	var order plataforma.NewCharge
	if err := order.FromNewPixCharge(plataforma.NewPixCharge{
		Amount: 2500, ExternalId: os.Getenv("ORDER"), PayerName: "Maria da Silva", PayerDocument: "12345678909",
	}); err != nil {
		panic(err)
	}
	created := must(client.CreateChargeWithResponse(ctx, nil, order))
	if created.JSON201 == nil {
		panic(string(created.Body))
	}
	id := created.JSON201.Data.Id

	unknown := openapi_types.UUID{0x01, 0x93, 0x9f, 0x2e, 0x7d, 0x3b, 0x7c, 0x51, 0x9a, 0x54, 1, 2, 3, 4, 5, 6}
	missing := must(client.GetChargeWithResponse(ctx, unknown, nil))
	if missing.JSON404 == nil || missing.JSON404.Error.Code != "NOT_FOUND" {
		panic(string(missing.Body))
	}

	paid := must(client.SimulatePaymentWithResponse(ctx, id, nil))
	if paid.JSON200 == nil {
		panic(string(paid.Body))
	}
	amount := int64(1000)
	for attempt := 0; ; attempt++ {
		refunded := must(client.RefundChargeWithResponse(ctx, id, nil, plataforma.RefundChargeJSONRequestBody{Amount: &amount}))
		if refunded.JSON200 != nil || refunded.JSON202 != nil {
			break
		}
		if attempt == 60 {
			panic(string(refunded.Body))
		}
		time.Sleep(500 * time.Millisecond)
	}
	for attempt := 0; ; attempt++ {
		statement := must(client.GetStatementWithResponse(ctx, nil))
		if statement.JSON200 == nil {
			panic(string(statement.Body))
		}
		rows := 0
		for _, row := range statement.JSON200.Data {
			if row.ChargeId != nil && *row.ChargeId == id {
				rows++
			}
		}
		if rows >= 2 {
			fmt.Printf("the statement has %d rows of the charge\n", rows)
			return
		}
		if attempt == 60 {
			panic(string(statement.Body))
		}
		time.Sleep(500 * time.Millisecond)
	}
}
