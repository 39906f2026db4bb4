package waitpool_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/triad-gpu/triad/waitpool"
)

// A job is something that goes on elsewhere.
type job struct {
	name string
	done chan struct{}
}

func Example() {
	pool, err := waitpool.New(waitpool.Options{Workers: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()

	released := make(chan string, 2)
	jobs, err := waitpool.NewKind(pool, waitpool.Spec[job, string]{
		Name:    "job",
		Wait:    func(j job) (string, error) { <-j.done; return j.name + " is done", nil },
		Release: func(j job) { released <- j.name },
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	a := job{"a", make(chan struct{})}
	time.AfterFunc(time.Millisecond, func() { close(a.done) })
	fmt.Println(jobs.Wait(context.Background(), a))
	fmt.Println("released:", <-released)

	// A cancelled wait returns at once; its job is released when it ends.
	b := job{"b", make(chan struct{})}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err = jobs.Wait(ctx, b)
	fmt.Println(errors.Is(err, context.DeadlineExceeded), len(released))
	close(b.done)
	fmt.Println("released:", <-released)
	// Output:
	// a is done <nil>
	// released: a
	// true 0
	// released: b
}
