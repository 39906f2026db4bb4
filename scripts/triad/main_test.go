package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// A test that needs a process of its own, because libraries are loaded once per
// process, runs this test binary as the command.
const asCommand = "TRIAD_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	switch os.Getenv(asCommand) {
	case "":
		os.Setenv("TRIAD_CACHE", "off") // tests use no folder of the user's
		os.Exit(m.Run())
	case "overrun":
		os.Exit(overrun())
	default:
		main()
	}
}

// command runs triad in a process of its own.
func runCommand(t *testing.T, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(append(os.Environ(), asCommand+"=triad"), env...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), log.String(), cmd.ProcessState.ExitCode()
}

// missing skips the test for want of what, or fails it where TRIAD_REQUIRE lists
// that.
func missing(t *testing.T, what, why string) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("TRIAD_REQUIRE"), ","), what) {
		t.Fatalf("TRIAD_REQUIRE asks for %s: %s", what, why)
	}
	t.Skipf("no %s: %s", what, why)
}

// openDevice opens any device.
func openDevice(t *testing.T) driver.Device {
	t.Helper()
	dev, err := driver.Open("auto")
	if err != nil {
		missing(t, "opencl", err.Error())
	}
	t.Cleanup(func() { _ = dev.Close() })
	return dev
}

// noCUDA has the library find no CUDA driver.
const noCUDA = "TRIAD_CUDA_LIBRARY=/nonexistent/libcuda.so.1"

// noDrivers makes the loader find no OpenCL platform, and hides CUDA.
func noDrivers(t *testing.T) []string {
	return []string{"OCL_ICD_VENDORS=" + t.TempDir(), "TRIAD_DEVICE=", noCUDA}
}

func TestUsage(t *testing.T) {
	for _, test := range []struct {
		args        string
		code        int
		out, errout string
	}{
		{"", 2, "", "usage: triad COMMAND"},
		{"help", 0, "usage: triad COMMAND", ""},
		{"-h", 0, "usage: triad COMMAND", ""},
		{"help demo", 0, "usage: triad demo", ""},
		{"bench -h", 0, "usage: triad bench", ""},
		{"help nonsense", 2, "", `no command "nonsense"`},
		{"nonsense", 2, "", `no command "nonsense"`},
		{"info extra", 2, "", `unexpected argument "extra"`},
		{"demo -nonsense", 2, "", "usage: triad demo"},
		{"bench -rounds many", 2, "", "usage: triad bench"},
		{"bench -rounds 0", 1, "", "0 rounds"},
		{"bench -suite nonsense", 1, "", "launch, wait, copy, event, memory, floor, park, all"},
		{"bench -peers nothing.tsv", 1, "", "nothing.tsv"},
		{"watch", 1, "", "which folder"},
		{"watch a b", 2, "", `unexpected argument "b"`},
		{"watch -every 0s a", 1, "", "-every 0s"},
		{"cache burn", 1, "", `no action "burn"`},
		{"cache", 0, "the cache is off", ""},
		{"help cache", 0, "TRIAD_CACHE_DIR", ""},
		{"demo -frames -1", 1, "", "-1 frames"},
		{"demo -in nothing.png", 1, "", "nothing.png"},
	} {
		var out, errout bytes.Buffer
		code := run(context.Background(), strings.Fields(test.args), &out, &errout)
		if code != test.code || !strings.Contains(out.String(), test.out) || !strings.Contains(errout.String(), test.errout) {
			t.Errorf("triad %s: exit code %d, want %d\nstdout: %s\nstderr: %s", test.args, code, test.code, &out, &errout)
		}
		if test.out == "" && out.Len() > 0 || test.errout == "" && errout.Len() > 0 {
			t.Errorf("triad %s: wrote to both: stdout %q, stderr %q", test.args, &out, &errout)
		}
	}
}

func TestUnreadablePictureIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "words.png")
	if err := os.WriteFile(file, []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errout bytes.Buffer
	if code := run(context.Background(), []string{"demo", "-in", file}, &out, &errout); code != 1 || !strings.Contains(errout.String(), "PNG and JPEG") {
		t.Errorf("exit code %d, stderr %q", code, &errout)
	}
}

func TestWithoutDevicesCommandsSayWhy(t *testing.T) {
	for _, command := range []string{"demo", "bench"} {
		out, errout, code := runCommand(t, noDrivers(t), command)
		if code != 1 || out != "" || !strings.Contains(errout, "opencl") {
			t.Errorf("triad %s: exit code %d\nstdout: %s\nstderr: %s", command, code, out, errout)
		}
	}
	out, errout, code := runCommand(t, noDrivers(t), "info")
	if code != 0 || errout != "" || !strings.Contains(out, "error") {
		t.Errorf("triad info: exit code %d\nstdout: %s\nstderr: %s", code, out, errout)
	}
}

func TestWithoutLibraryCommandsListWhatWasTried(t *testing.T) {
	env := []string{"TRIAD_OPENCL_LIBRARY=/nonexistent/libOpenCL.so", "TRIAD_DEVICE=", noCUDA}
	for _, command := range []string{"demo", "bench", "info"} {
		out, errout, code := runCommand(t, env, command)
		want := 1
		if command == "info" {
			want = 0
		}
		if code != want || !strings.Contains(out+errout, "opencl") {
			t.Errorf("triad %s: exit code %d, want %d\nstdout: %s\nstderr: %s", command, code, want, out, errout)
		}
	}
}

func TestWrongSelectorListsDevices(t *testing.T) {
	dev := openDevice(t)
	var out, errout bytes.Buffer
	code := run(context.Background(), []string{"demo", "-device", dev.Info().Backend + ":nonsense"}, &out, &errout)
	if code != 1 || !strings.Contains(errout.String(), dev.Info().Name) {
		t.Errorf("exit code %d, stderr %q", code, &errout)
	}
}
