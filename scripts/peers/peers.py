#!/usr/bin/env python3
"""Measures what other libraries take for the operations of "triad bench".

    python3 scripts/peers/peers.py > peers.tsv
    triad bench -device cuda:0 -peers peers.tsv

Run it on the machine of the benchmark, in the same hour. It writes lines of
peer, version, operation, nanoseconds (median of the rounds), fastest round, and
what was called, with tabs between them. What isn't installed, or fails, is said
in a line that begins with #, and on the standard error output.

The operations, as "triad bench" measures them:
  launch4      warm launch of an empty kernel with a float, two pointers and an
               integer; the calls alone, in groups of 50, between which the
               stream is waited for
  launch_wait  such a launch, and the wait for it
  record       recording an event, likewise the calls alone
  fill4096     filling 4 KiB of device memory with a 32-bit word, likewise
"""

import argparse
import ctypes
import datetime
import gc
import platform
import statistics
import subprocess
import sys
import time
import traceback

EVERY = 50  # calls in a group
ROUND_NS = 20_000_000  # a round takes at least so long
PEER_S = 180  # no peer takes so long

SOURCE = 'extern "C" __global__ void empty4(float a, float *x, float *y, unsigned n) {}\n'


class Missing(Exception):
    """The library, or the operation, is not there."""


def nothing():
    pass


def timed(op, sync, calls, every):
    """Nanoseconds of so many calls of op. With a sync the groups are waited for,
    off the clock."""
    now = time.perf_counter_ns
    total = 0
    done = 0
    while done < calls:
        group = range(min(every, calls - done))
        begin = now()
        for _ in group:
            op()
        total += now() - begin
        done += len(group)
        sync()
    return total


def measure(op, sync, every, rounds):
    """Median and least nanoseconds of one call of op over the rounds."""
    sync()
    calls = every
    while True:  # warms up as well
        took = timed(op, sync, calls, every)
        if took >= ROUND_NS:
            break
        grown = int(calls * 1.2 * ROUND_NS / max(took, 1)) + every
        calls = min(grown, calls * 10)
    collecting = gc.isenabled()
    gc.disable()
    try:
        each = [timed(op, sync, calls, every) / calls for _ in range(rounds)]
    finally:
        if collecting:
            gc.enable()
    return statistics.median(each), min(each)


# Each peer is a function that sets up and returns its version and a dictionary of
# operation: (what is called, op, sync). For launch_wait, op waits by itself, and
# sync is nothing.


def cuda_core():
    import cuda.core

    try:
        from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
    except ImportError:  # before version 1
        from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch

    dev = Device()
    dev.set_current()
    stream = dev.create_stream()
    arch = "".join(str(part) for part in dev.compute_capability)
    program = Program(SOURCE, code_type="c++", options=ProgramOptions(std="c++17", arch="sm_" + arch))
    kernel = program.compile("cubin").get_kernel("empty4")
    config = LaunchConfig(grid=1, block=1)
    x = dev.allocate(4096, stream=stream)
    y = dev.allocate(4096, stream=stream)
    a, n = ctypes.c_float(2), ctypes.c_uint32(0)
    stream.sync()

    def launch4():
        launch(stream, config, kernel, a, x, y, n)

    def launch_wait():
        launch(stream, config, kernel, a, x, y, n)
        stream.sync()

    ops = {
        "launch4": ("launch", launch4, stream.sync),
        "launch_wait": ("launch, Stream.sync", launch_wait, nothing),
    }

    # An event without timing, which is what is made unless asked otherwise.
    event = attempt(stream.record)
    if event is not None:
        ops["record"] = ("Stream.record(event)", lambda: stream.record(event), stream.sync)

    # A word, or a byte where words are not taken.
    for value in (b"\x01\x00\x00\x00", 1):
        if attempt(lambda: x.fill(value, stream=stream) or True):
            ops["fill4096"] = ("Buffer.fill(%r)" % value, lambda: x.fill(value, stream=stream), stream.sync)
            break
    return cuda.core.__version__, ops


def cupy_peer():
    import cupy

    kernel = cupy.RawKernel(SOURCE, "empty4")
    stream = cupy.cuda.Stream(non_blocking=True)
    stream.use()  # what follows goes there, without a look-up for each call
    x = cupy.zeros(1024, dtype=cupy.uint32)
    y = cupy.zeros(1024, dtype=cupy.float32)
    args = (cupy.float32(2), x, y, cupy.uint32(0))
    grid, block = (1,), (1,)
    event = cupy.cuda.Event(disable_timing=True)
    stream.synchronize()

    def launch4():
        kernel(grid, block, args)

    def launch_wait():
        kernel(grid, block, args)
        stream.synchronize()

    def fill():
        x.data.memset_async(1, 4096, stream)

    return cupy.__version__, {
        "launch4": ("RawKernel", launch4, stream.synchronize),
        "launch_wait": ("RawKernel, Stream.synchronize", launch_wait, nothing),
        "record": ("Event.record", lambda: event.record(stream), stream.synchronize),
        "fill4096": ("MemoryPointer.memset_async", fill, stream.synchronize),
    }


def triton_peer():
    import torch
    import triton

    kernel = triton_kernel()
    stream = torch.cuda.Stream()
    torch.cuda.set_stream(stream)
    x = torch.zeros(1024, device="cuda")
    y = torch.zeros(1024, device="cuda")
    grid = (1,)
    kernel[grid](2.0, x, y, 0)  # compiles
    stream.synchronize()

    def launch4():
        kernel[grid](2.0, x, y, 0)

    def launch_wait():
        kernel[grid](2.0, x, y, 0)
        stream.synchronize()

    return triton.__version__, {
        "launch4": ("kernel[grid](...)", launch4, stream.synchronize),
        "launch_wait": ("kernel[grid](...), torch.cuda.Stream.synchronize", launch_wait, nothing),
    }


def triton_kernel():
    """A kernel of Triton's; it reads the source of the function, which must lie in
    a file."""
    import triton

    # Else each value of n that differs in kind would be compiled for.
    return triton.jit(do_not_specialize=["n"])(triton_empty4)


def triton_empty4(a, x, y, n):
    pass


def torch_peer():
    import torch

    stream = torch.cuda.Stream()
    torch.cuda.set_stream(stream)
    x = torch.zeros(1, device="cuda")
    words = torch.zeros(1024, device="cuda", dtype=torch.int32)
    event = torch.cuda.Event(enable_timing=False)
    event.record(stream)
    stream.synchronize()

    def launch4():
        x.add_(1)

    def launch_wait():
        x.add_(1)
        stream.synchronize()

    return torch.__version__, {
        # PyTorch launches no kernels of others; its own smallest is the nearest.
        "launch4": ("Tensor.add_ of one element", launch4, stream.synchronize),
        "launch_wait": ("Tensor.add_, Stream.synchronize", launch_wait, nothing),
        "record": ("Event.record", lambda: event.record(stream), stream.synchronize),
        "fill4096": ("Tensor.fill_", lambda: words.fill_(1), stream.synchronize),
    }


def numba_peer():
    import numba
    import numpy
    from numba import cuda

    @cuda.jit("void(float32, float32[::1], float32[::1], uint32)")
    def empty4(a, x, y, n):
        pass

    stream = cuda.stream()
    x = cuda.to_device(numpy.zeros(1024, dtype=numpy.float32), stream=stream)
    y = cuda.to_device(numpy.zeros(1024, dtype=numpy.float32), stream=stream)
    a, n = numpy.float32(2), numpy.uint32(0)
    configured = empty4[1, 1, stream]
    event = cuda.event(timing=False)
    stream.synchronize()

    def launch4():
        configured(a, x, y, n)

    def launch_wait():
        configured(a, x, y, n)
        stream.synchronize()

    version = numba.__version__
    numba_cuda = attempt(lambda: __import__("numba_cuda").__version__)
    if numba_cuda is not None:
        version += " (numba-cuda %s)" % numba_cuda
    return version, {
        "launch4": ("kernel[1, 1, stream](...), two arrays", launch4, stream.synchronize),
        "launch_wait": ("the same, stream.synchronize", launch_wait, nothing),
        "record": ("event.record", lambda: event.record(stream), stream.synchronize),
    }


PEERS = [
    ("cuda.core", cuda_core),
    ("CuPy", cupy_peer),
    ("Triton", triton_peer),
    ("PyTorch", torch_peer),
    ("Numba", numba_peer),
]


def attempt(f):
    """The value of f, or None if it fails."""
    try:
        return f()
    except Exception:  # whatever it is, the peer goes on without
        return None


def reason(err):
    text = str(err).strip().splitlines()
    return "%s: %s" % (type(err).__name__, text[0] if text else "no reason given")


def note(text):
    text = text.replace("\t", " ")
    print("# " + text, flush=True)
    print("peers: " + text, file=sys.stderr, flush=True)


def cuda_machine():
    """The device's name and the driver's version, from the driver itself."""
    lib = ctypes.CDLL("libcuda.so.1")
    version, device = ctypes.c_int(), ctypes.c_int()
    name = ctypes.create_string_buffer(256)
    for call in (
        lambda: lib.cuInit(0),
        lambda: lib.cuDriverGetVersion(ctypes.byref(version)),
        lambda: lib.cuDeviceGet(ctypes.byref(device), 0),
        lambda: lib.cuDeviceGetName(name, len(name), device),
    ):
        code = call()
        if code != 0:
            raise Missing("CUDA's code %d" % code)
    release = attempt(driver_release) or "unknown"
    return "%s, driver %s, CUDA %d.%d" % (
        name.value.decode(),
        release,
        version.value // 1000,
        version.value % 1000 // 10,
    )


def driver_release():
    with open("/proc/driver/nvidia/version") as f:
        words = f.readline().split()
    return next(w for w in words if w[0].isdigit() and w.count(".") >= 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15, help="take the median of so many (default 15)")
    parser.add_argument("--only", metavar="PEER", action="append", help="measure this one; may be given again")
    parser.add_argument("--here", action="store_true", help="in this process, and not in one of its own for each peer")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds is %d; at least 1 is needed" % options.rounds)
    names = [name.lower() for name, _ in PEERS]
    for wanted in options.only or []:
        if wanted.lower() not in names:
            parser.error("there is no peer %s; there are: %s" % (wanted, ", ".join(name for name, _ in PEERS)))

    try:
        machine = cuda_machine()
    except (OSError, AttributeError, Missing) as err:
        note("no CUDA device: " + reason(err))
        return 1
    if not options.here:
        print("# %s; %s, %s, Python %s" % (machine, datetime.date.today(), platform.platform(), platform.python_version()))
        print("# peer\tversion\toperation\tns\tfastest round\twhat was called", flush=True)

    wanted = [name.lower() for name in options.only or names]
    measured = 0
    for name, setup in PEERS:
        if name.lower() in wanted:
            measured += run(name, setup, options.rounds) if options.here else run_apart(name, options.rounds)
    return 0 if measured else 1


def run_apart(name, rounds):
    """Measures one peer in a process of its own, which may crash, and leaves
    nothing behind on the device. Returns how many of its operations worked."""
    command = [sys.executable, __file__, "--here", "--only", name, "--rounds", str(rounds)]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=PEER_S, text=True)
    except subprocess.TimeoutExpired:
        note("%s took longer than %d s" % (name, PEER_S))
        return 0
    lines = done.stdout.splitlines()
    if done.returncode < 0:
        note("%s ended with signal %d" % (name, -done.returncode))
    for line in lines:
        print(line, flush=True)
    return sum(not line.startswith("#") for line in lines)


def run(name, setup, rounds):
    """Measures one peer, and returns how many of its operations worked."""
    try:
        version, ops = setup()
    except ImportError as err:
        note("%s is not installed: %s" % (name, reason(err)))
        return 0
    except Exception as err:  # one peer's failure must not lose the others
        traceback.print_exc()
        note("%s failed: %s" % (name, reason(err)))
        return 0
    measured = 0
    for op, (called, call, sync) in ops.items():
        try:
            middle, least = measure(call, sync, EVERY, rounds)
        except Exception as err:
            traceback.print_exc()
            note("%s %s failed: %s" % (name, op, reason(err)))
            continue
        print("%s\t%s\t%s\t%.1f\t%.1f\t%s" % (name, version, op, middle, least, called), flush=True)
        measured += 1
    return measured


if __name__ == "__main__":
    sys.exit(main())
