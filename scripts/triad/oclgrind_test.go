package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// complaint matches what oclgrind says about a kernel that misbehaves.
var complaint = regexp.MustCompile(`(?i)invalid (read|write|argument|memory)|data race|uninitialized|out of bounds|error occurred|divergence|oclgrind: `)

// oclgrindEnv makes the OpenCL loader find oclgrind alone.
func oclgrindEnv(t *testing.T) []string {
	t.Helper()
	if library("opencl") == "" {
		missing(t, "opencl", "no OpenCL library loads")
	}
	found := ""
	candidates := []string{"/usr/lib/oclgrind/liboclgrind-rt-icd.so"}
	if program, err := exec.LookPath("oclgrind"); err == nil {
		candidates = append(candidates, filepath.Join(filepath.Dir(program), "../lib/oclgrind/liboclgrind-rt-icd.so"))
	}
	for _, c := range candidates {
		if _, err := os.Stat(c); err == nil {
			found = c
			break
		}
	}
	if found == "" {
		missing(t, "oclgrind", "none of "+strings.Join(candidates, ", "))
	}
	vendors := t.TempDir()
	if err := os.WriteFile(filepath.Join(vendors, "oclgrind.icd"), []byte(found+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Old loaders want the slash.
	return []string{"OCL_ICD_VENDORS=" + vendors + "/", "TRIAD_DEVICE=opencl:oclgrind"}
}

func TestDemoUnderOclgrindAccessesOnlyItsMemory(t *testing.T) {
	env := oclgrindEnv(t)
	in, out := filepath.Join(t.TempDir(), "in.png"), filepath.Join(t.TempDir(), "out.png")
	if err := writePicture(in, noise(19, 11)); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := runCommand(t, env, "demo", "-device", "opencl:oclgrind", "-frames", "1", "-in", in, "-out", out)
	if code != 0 {
		t.Fatalf("exit code %d\nstdout: %s\nstderr: %s", code, stdout, stderr)
	}
	if !strings.Contains(stdout, "Oclgrind") || !strings.Contains(stdout, "correct") {
		t.Errorf("stdout: %s", stdout)
	}
	if hit := complaint.FindString(stdout + stderr); hit != "" {
		t.Errorf("oclgrind reports %q:\n%s%s", hit, stdout, stderr)
	}
}

// The test above would pass for nothing if oclgrind's reports did not reach it.
func TestOclgrindReportsAnOverrun(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), asCommand+"=overrun"), oclgrindEnv(t)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if hit := complaint.FindString(out.String()); hit == "" {
		t.Errorf("no report of the overrun; error %v, output:\n%s", err, &out)
	}
}

// overrun blurs a picture of which the kernel believes that it has one row more.
func overrun() int {
	ctx := context.Background()
	dev, err := driver.Open("opencl:oclgrind")
	if err == nil {
		defer dev.Close()
		var b *blurrer
		if b, err = newBlurrer(ctx, dev, noise(5, 5), gauss(1)); err == nil {
			b.rows.Height++
			if err = b.frame(); err == nil {
				err = b.stream.Wait(ctx)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
