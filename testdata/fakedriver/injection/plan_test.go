package injection

import (
	"reflect"
	"testing"
)

func backend() *Backend {
	return &Backend{
		Name:       "cuda",
		Common:     []int{1, 999},
		Codes:      func(string) []int { return []int{2, 1} },
		Answers:    map[string]map[int]string{"cuAsk": {1: "no"}},
		ReportedAs: map[string]Names{"cuPart": {Names: []string{"cuWhole"}}, "cuEnter": {Names: []string{"*"}}},
		Brief:      func(test string) bool { return test == "A/short" },
	}
}

func TestErrorsNameTheCallAndTheCode(t *testing.T) {
	b := backend()
	for _, x := range []struct {
		symbol string
		code   int
		text   string
		want   bool
	}{
		{"cuMemAlloc_v2", 2, "x_test.go:3: error cuda: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2): 16 B", true},
		{"cuMemAlloc_v2", 2, "error cuda: cuMemAlloc: CUDA_ERROR_UNKNOWN (999): 16 B", false},
		{"cuPart", 2, "error cuda: cuMemAlloc: not found: 16 B; cuda: cuWhole: CUDA_ERROR_OUT_OF_MEMORY (2): of it", true},
		{"cuMemAlloc_v2", 2, "error cuda: cuMemAlloc: not found: 16 B; cuda: cuWhole: CUDA_ERROR_OUT_OF_MEMORY (2): of it", false},
		{"cuMemAlloc_v2", 2, "error cuda: cuMemAllocHost: CUDA_ERROR_OUT_OF_MEMORY (2)", false},
		{"cuMemAlloc_v2", 2, "error hip: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2)", false},
		{"cuMemAlloc_v2", 2, "cuMemAlloc failed with (2)", false},
		{"cuPart", 2, "cuda: cuWhole: CUDA_ERROR_OUT_OF_MEMORY (2)", true},
		{"cuEnter", 2, "cuda: Stream.Wait: CUDA_ERROR_OUT_OF_MEMORY (2)", true},
		{"cuEnter", 2, "cuda: Stream.Wait: CUDA_ERROR_OUT_OF_MEMORY (1)", false},
	} {
		if got := b.names(x.text, Injection{Symbol: x.symbol, Code: x.code}); got != x.want {
			t.Errorf("%s, %d named by %q: %v", x.symbol, x.code, x.text, got)
		}
	}
}

func TestPlansLeaveOutWhatAllTestsDo(t *testing.T) {
	b := backend()
	traces := make(map[string]traced)
	for _, name := range []string{"A/a", "A/b", "A/c", "A/d", "A/e", "A/f", "A/g", "A/h", "A/i", "A/short"} {
		traces[name] = traced{Calls: counts{"cuClose": 1}}
	}
	traces["A/a"].Calls["cuAsk"] = 1
	traces["A/short"].Calls["cuClose"] = 3
	traces["A/whole"] = traced{Result: Result{Injection: Injection{Early: true}}, Calls: counts{"cuClose": 1}}
	want := []Injection{
		{"A/a", "cuAsk", 2, 1, false}, {"A/a", "cuAsk", 999, 1, false},
		{"A/short", "cuClose", 2, 1, false}, {"A/short", "cuClose", 1, 1, false},
		{"A/whole", "cuClose", 2, 1, true}, {"A/whole", "cuClose", 1, 1, true}, {"A/whole", "cuClose", 999, 1, true},
	}
	if got := b.plan(traces); !reflect.DeepEqual(got, want) {
		t.Errorf("the plan is %v, want %v", got, want)
	}
}

func TestLaterCallsFailAsWell(t *testing.T) {
	var at []uint64
	for _, i := range backend().of(Injection{Test: "A/a", Symbol: "cuClose"}, 7) {
		at = append(at, i.N)
	}
	if want := []uint64{1, 1, 1, 2, 2, 7, 7}; !reflect.DeepEqual(at, want) {
		t.Errorf("the calls are %v, want %v", at, want)
	}
}

func TestSharesAndSamplesAreOfAll(t *testing.T) {
	all := []string{"a", "b", "c", "d", "e"}
	seen := append(shard(all, 0, 2), shard(all, 1, 2)...)
	if len(seen) != len(all) {
		t.Errorf("the shares are %v", seen)
	}
	if a, b := sample(all, 3, 1), sample(all, 3, 1); len(a) != 3 || !reflect.DeepEqual(a, b) {
		t.Errorf("the samples are %v and %v", a, b)
	}
	if got := sample(all, 0, 1); !reflect.DeepEqual(got, all) {
		t.Errorf("all are %v", got)
	}
}
