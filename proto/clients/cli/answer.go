package cli

import (
	"context"
	"errors"
	"io"
	"strings"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// answerCommand answers an inquiry.
type answerCommand struct {
	ID   string `arg:"" help:"The qna_id that sellerapi qna shows."`
	Text string `arg:"" help:"The answer; - reads it from the standard input."`
}

// Help implements kong.HelpProvider.
func (answerCommand) Help() string {
	return "An answer cannot be changed. A text that is not UTF-8 is decoded if it is certainly CP949 or UTF-16, and refused " +
		"otherwise.\n\n  sellerapi answer 0195a1c4-3f52-7a90-8d1e-6b7f2c9d4e10 '네, 가능합니다.'\n" +
		"  sellerapi answer 0195a1c4-3f52-7a90-8d1e-6b7f2c9d4e10 - < answer.txt"
}

// Run runs the command.
func (a *answerCommand) Run(ctx context.Context, world *World, all *commands) error {
	client, err := all.client(world)
	if err != nil {
		return err
	}
	content := a.Text
	if content == "-" {
		read, err := io.ReadAll(world.In)
		if err != nil {
			return err
		}
		if content, err = decoded(read); err != nil {
			return err
		}
		content = strings.TrimSpace(content)
	}
	if content == "" {
		return errors.New("the answer is empty")
	}
	answered, err := client.AnswerInquiry(ctx, a.ID, sellerapi.AnswerRequest{Content: content})
	if err != nil {
		return err
	}
	if answered.Converged {
		say(world.Out, "This answer stands already.")
		return nil
	}
	say(world.Out, "Answered.")
	return nil
}
