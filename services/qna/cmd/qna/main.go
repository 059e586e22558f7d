// Command qna runs the qna service: qna serve, qna migrate, qna distribute, qna size, qna bring-back, qna version.
package main

import (
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distribute"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/qna"
)

func main() {
	// A migration needs only the database, so that its job has no other secrets.
	service.Main("qna", &struct {
		Serve      service.Command[qna.Config]        `cmd:"" help:"Serve until told to stop."`
		Migrate    service.Command[postgres.Config]   `cmd:"" help:"Bring the schema up to date."`
		Distribute service.Command[distribute.Config] `cmd:"" help:"Spread the tables over the nodes of a distributed database."`
		Size       service.SizeCommand                `cmd:"" help:"Print how large the schema is, how fast it grows, and when the database is full."`
		BringBack  service.BringBackCommand           `cmd:"" help:"Bring archived inquiries back into the list, as changed now."`
	}{
		service.NewCommand(qna.Run), service.NewCommand(qna.Migrate), service.NewCommand(qna.Distribute),
		qna.NewSizeCommand(), qna.NewBringBackCommand(),
	})
}
