// Command qna runs the qna service: qna serve, qna migrate, qna distribute, qna size, qna bring-back, qna version.
package main

import (
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distribute"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/qna"
)

func main() {
	service.RelaxCollector()
	// A migration needs only the database, so that its job has no other secrets.
	service.Main("qna", &struct {
		Serve      service.Command[qna.Config]        `cmd:"" help:"Run the service."`
		Migrate    service.Command[postgres.Config]   `cmd:"" help:"Migrate the schema."`
		Distribute service.Command[distribute.Config] `cmd:"" help:"Distribute the tables over the nodes of a distributed database."`
		Size       service.SizeCommand                `cmd:"" help:"Print the size of the schema, its growth, and when the database will be full."`
		BringBack  service.BringBackCommand           `cmd:"" help:"Restore archived inquiries to the list, with the current time as their last change."`
	}{
		service.NewCommand(qna.Run), service.NewCommand(qna.Migrate), service.NewCommand(qna.Distribute),
		qna.NewSizeCommand(), qna.NewBringBackCommand(),
	})
}
