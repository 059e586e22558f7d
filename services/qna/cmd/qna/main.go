// Command qna runs the qna service: qna serve, qna migrate, qna distribute, qna version.
package main

import (
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/qna"
)

func main() {
	service.RelaxCollector()
	// A migration needs only the database, so that its job has no other secrets.
	service.Main("qna", &struct {
		Serve service.Command[qna.Config] `cmd:"" help:"Run the service."`
		service.SchemaCommands
	}{service.NewCommand(qna.Run), qna.Schema.Commands()})
}
