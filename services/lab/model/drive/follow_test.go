package drive

import (
	"context"
	"fmt"
	"slices"

	"sellerapi.dev/services/lab/follow"
	"sellerapi.dev/services/lab/model"
)

// followed is the number of records of a page of the client that reads forwards: few, so that lists have several pages.
const followed = 3

// dropEvery is how many pages it reads per page after which it dies before it has stored the page.
const dropEvery = 3

// follower is a client that keeps copies of the lists by reading them forwards, one page in a round, while its operations run.
type follower struct {
	copies []*follow.Copy
	pages  int
}

func newFollower() follower {
	var f follower
	for _, list := range follow.Lists() {
		f.copies = append(f.copies, follow.New(list))
	}
	return f
}

// follow reads a page of one of the lists concurrently. The returned function waits for it and stores it, and describes a page
// that cannot be right.
func (r *run) follow(ctx context.Context) (end func() (string, error)) {
	f := &r.follower
	f.pages++
	copied, isDropped := f.copies[f.pages%len(f.copies)], f.pages/len(f.copies)%dropEvery == 0
	read := make(chan struct{})
	var page follow.Page
	var err error
	go func() {
		defer close(read)
		page, err = copied.List.Next(ctx, r.get, copied.After, follow.Options{Limit: followed})
	}()
	return func() (string, error) {
		<-read
		if err != nil || isDropped {
			return "", err
		}
		return saidOf(copied.Add(page)), nil
	}
}

// exactCopies compares the copies with full reads, when nothing is in progress.
func (r *run) exactCopies(ctx context.Context) (string, error) {
	for _, copied := range r.follower.copies {
		if err := copied.CatchUp(ctx, r.get); err != nil {
			return "", err
		}
		if problem, err := copied.Differs(ctx, r.get); problem != "" || err != nil {
			return "  forwards: " + problem + "\n", err
		}
	}
	return "", nil
}

func saidOf(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf("  forwards: %v\n", err)
}

// whileFollowed executes the operations of a round while the client that reads forwards reads a page. While a deadline passes it
// does not read: until then the driver has another deadline in the row of the claim.
func (r *run) whileFollowed(ctx context.Context, round []model.Op) (answers []answer, problem string, err error) {
	if slices.ContainsFunc(round, func(op model.Op) bool { return op.Kind == model.PassDeadline }) {
		return r.doAll(ctx, round), "", nil
	}
	ended := r.follow(ctx)
	answers = r.doAll(ctx, round)
	problem, err = ended()
	return answers, problem, err
}
