package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type answerCommand struct {
	ID   string `arg:"" help:"The qna_id that sellerapi qna shows."`
	Text string `arg:"" help:"The answer; - reads it from the standard input."`

	Encoding string `help:"What - reads: utf-8 (or UTF-16 with a mark) or cp949." default:"utf-8" enum:"utf-8,cp949"`
}

// Help implements kong.HelpProvider.
func (answerCommand) Help() string {
	return "An answer cannot be changed, so the encoding of a text is not guessed: CP949 has to be named.\n\n" +
		"  sellerapi answer 0195a1c4-3f52-7a90-8d1e-6b7f2c9d4e10 '네, 가능합니다.'\n" +
		"  sellerapi answer 0195a1c4-3f52-7a90-8d1e-6b7f2c9d4e10 - < answer.txt\n" +
		"  sellerapi answer 0195a1c4-3f52-7a90-8d1e-6b7f2c9d4e10 - --encoding cp949 < answer.txt"
}

// Run runs the command.
func (a *answerCommand) Run(ctx context.Context, world *World, all *commands) error {
	client, err := all.client(world)
	if err != nil {
		return err
	}
	content, err := a.content(world.In)
	if err != nil {
		return err
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

func (a *answerCommand) content(in io.Reader) (string, error) {
	if a.Text != "-" {
		name := strings.Trim(a.Text, "@< ")
		if _, err := os.Stat(name); err == nil {
			return "", fmt.Errorf("the answer is the name of a file; to send its content: - < %s", name)
		}
		return a.Text, nil
	}
	read, err := io.ReadAll(in)
	if err != nil {
		return "", err
	}
	decode := decodedUnicode
	if a.Encoding == "cp949" {
		decode = decoded
	}
	text, err := decode(read)
	if errors.Is(err, errNotUTF8) {
		err = fmt.Errorf("%w, or name its encoding with --encoding cp949", err)
	}
	return strings.TrimSpace(text), err
}
