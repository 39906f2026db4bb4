//go:build cgo && linux

package mallocs

/*
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void (*begin_fn)(void);
typedef void (*end_fn)(int64_t *, int64_t *);

static void *find(const char *name) { return dlsym(RTLD_DEFAULT, name); }
static void call_begin(void *f) { ((begin_fn)f)(); }
static void call_end(void *f, int64_t *ours, int64_t *others) { ((end_fn)f)(ours, others); }

// Bytes in use; mallinfo2 came with glibc 2.33.
typedef struct { size_t a[10]; } info2;
static int64_t in_use(void) {
	info2 (*f)(void) = (info2 (*)(void))dlsym(RTLD_DEFAULT, "mallinfo2");
	if (!f) return 0;
	info2 i = f();
	return (int64_t)(i.a[7] + i.a[4]); // uordblks, hblkhd
}

// What the test of the counter allocates.
enum { MALLOC, CALLOC, REALLOC, ALIGNED, POSIX, DUPLICATE, NOTHING, HOWS };
static void *volatile kept;
static void allocate(int how) {
	void *p = 0;
	switch (how) {
	case MALLOC: p = malloc(100); break;
	case CALLOC: p = calloc(10, 10); break;
	case REALLOC: p = realloc(0, 100); break;
	case ALIGNED: p = aligned_alloc(64, 128); break;
	case POSIX: if (posix_memalign(&p, 64, 100)) p = 0; break;
	case DUPLICATE: p = strdup("a text"); break;
	}
	kept = p;
	free(p);
}
*/
import "C"

import (
	"unsafe"

	"github.com/triad-gpu/triad/driver"
)

// Counter counts. There is one for the process.
type Counter struct{ begin, end unsafe.Pointer }

// Open finds the library. Its error wraps [driver.ErrUnavailable] in a process that
// was not started with it.
func Open() (*Counter, error) {
	find := func(name string) unsafe.Pointer {
		s := C.CString(name)
		defer C.free(unsafe.Pointer(s))
		return C.find(s)
	}
	c := &Counter{find("triad_mallocs_begin"), find("triad_mallocs_end")}
	if c.begin == nil || c.end == nil {
		return nil, driver.Errorf("mallocs", "Open", driver.ErrUnavailable, "this process was started without the library that counts allocations")
	}
	return c, nil
}

// Begin counts from 0.
func (c *Counter) Begin() { C.call_begin(c.begin) }

// End ends the counting, and tells how often the program allocated since Begin, and
// how often others did, on all threads.
func (c *Counter) End() (program, others int) {
	var a, b C.int64_t
	C.call_end(c.end, &a, &b)
	return int(a), int(b)
}

// InUse is how many bytes of C memory are allocated, by whomever; 0 where the C library
// does not tell.
func InUse() int { return int(C.in_use()) }

// hows is how many ways to allocate there are.
const hows = C.HOWS

// nothing is the way that does not.
const nothing = C.NOTHING

func allocate(how int) { C.allocate(C.int(how)) }
