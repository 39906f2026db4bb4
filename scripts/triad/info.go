package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/triad-gpu/triad/cuda/nvrtc"
	"github.com/triad-gpu/triad/driver"
)

const infoHelp = `Lists, for each backend, the libraries that were tried and why each was not
used, optional functions that are missing, platforms, and devices with what
they can do. A backend without a device says why; that is no failure. So does it for
NVRTC, with which the cuda backend compiles source text.`

func setupInfo(flags *flag.FlagSet) func(context.Context, output) error {
	asJSON := flags.Bool("json", false, "write one JSON object")
	return func(_ context.Context, o output) error {
		var reports []backendInfo
		for _, b := range driver.Backends() {
			reports = append(reports, newBackendInfo(b.Probe()))
		}
		reports = append(reports, newBackendInfo(nvrtc.Probe()))
		if *asJSON {
			enc := json.NewEncoder(o.out)
			enc.SetIndent("", "  ")
			return enc.Encode(map[string][]backendInfo{"backends": reports})
		}
		for _, r := range reports {
			r.print(o.out)
		}
		return nil
	}
}

// The types below fix the names of the JSON output, which programs may rely on.

type backendInfo struct {
	Backend   string        `json:"backend"`
	Libraries []libraryInfo `json:"libraries"`
	Loaded    string        `json:"loaded"`
	Version   string        `json:"version"`
	Platforms []string      `json:"platforms"`
	Missing   []string      `json:"missing_symbols"`
	Devices   []deviceInfo  `json:"devices"`
	Error     string        `json:"error"`
}

type libraryInfo struct {
	Path  string `json:"path"`
	Error string `json:"error"`
}

type deviceInfo struct {
	Selector         string    `json:"selector"`
	Name             string    `json:"name"`
	Vendor           string    `json:"vendor"`
	Platform         string    `json:"platform"`
	Class            string    `json:"class"`
	Version          string    `json:"version"`
	Driver           string    `json:"driver"`
	Memory           uint64    `json:"memory_bytes"`
	MaxAlloc         uint64    `json:"max_alloc_bytes"`
	LocalMemory      uint64    `json:"local_memory_bytes"`
	MaxParams        uint32    `json:"max_param_bytes"`
	ComputeUnits     uint32    `json:"compute_units"`
	ClockMHz         uint32    `json:"clock_mhz"`
	MaxBlockVolume   uint64    `json:"max_block_volume"`
	MaxBlock         [3]uint64 `json:"max_block"`
	MaxGrid          [3]uint64 `json:"max_grid"`
	WarpSize         uint32    `json:"warp_size"`
	UnifiedMemory    bool      `json:"unified_memory"`
	RealAddresses    bool      `json:"real_addresses"`
	DoublePrecision  bool      `json:"double_precision"`
	HalfPrecision    bool      `json:"half_precision"`
	OutOfOrder       bool      `json:"out_of_order"`
	SPIRV            bool      `json:"spirv"`
	StreamPriorities bool      `json:"stream_priorities"`
	Extensions       []string  `json:"extensions"`
}

func newBackendInfo(r driver.Report) backendInfo {
	// Lists are never null in JSON.
	b := backendInfo{
		Backend: r.Backend, Loaded: r.Loaded, Version: r.Version,
		Libraries: []libraryInfo{}, Devices: []deviceInfo{},
		Platforms: append([]string{}, r.Platforms...), Missing: append([]string{}, r.Missing...),
	}
	for _, l := range r.Libraries {
		b.Libraries = append(b.Libraries, libraryInfo{l.Path, l.Err})
	}
	for _, d := range r.Devices {
		b.Devices = append(b.Devices, newDeviceInfo(d))
	}
	if r.Err != nil {
		b.Error = r.Err.Error()
	}
	return b
}

func newDeviceInfo(d *driver.DeviceInfo) deviceInfo {
	return deviceInfo{
		Selector: fmt.Sprintf("%s:%d", d.Backend, d.Index),
		Name:     d.Name, Vendor: d.Vendor, Platform: d.Platform, Class: string(d.Class), Version: d.Version, Driver: d.Driver,
		Memory: d.Memory, MaxAlloc: d.MaxAlloc, LocalMemory: d.LocalMemory, MaxParams: d.MaxParamBytes,
		ComputeUnits: d.ComputeUnits, ClockMHz: d.ClockMHz,
		MaxBlockVolume: d.MaxBlockVolume, MaxBlock: d.MaxBlock, MaxGrid: d.MaxGrid, WarpSize: d.WarpSize,
		UnifiedMemory: d.UnifiedMemory, RealAddresses: d.RealAddresses, DoublePrecision: d.DoublePrecision,
		HalfPrecision: d.HalfPrecision, OutOfOrder: d.OutOfOrder, SPIRV: d.SPIRV, StreamPriorities: d.StreamPriorities,
		Extensions: append([]string{}, d.Extensions...),
	}
}

func (b backendInfo) print(w io.Writer) {
	fmt.Fprintln(w, b.Backend)
	for _, l := range b.Libraries {
		state := l.Error
		if state == "" {
			state = "in use"
			if b.Loaded != l.Path {
				state += ": " + b.Loaded
			}
		}
		fmt.Fprintf(w, "  tried %s: %s\n", l.Path, state)
	}
	line(w, "version", b.Version)
	for _, p := range b.Platforms {
		line(w, "platform", p)
	}
	line(w, "missing", strings.Join(b.Missing, ", "))
	line(w, "error", b.Error)
	for _, d := range b.Devices {
		d.print(w)
	}
	fmt.Fprintln(w)
}

func (d deviceInfo) print(w io.Writer) {
	fmt.Fprintf(w, "\n  %s  %s\n", d.Selector, d.Name)
	line(w, "  vendor", d.Vendor)
	line(w, "  platform", d.Platform)
	line(w, "  version", fmt.Sprintf("%s, driver %s", d.Version, d.Driver))
	units := fmt.Sprintf("%s, %d compute units", d.Class, d.ComputeUnits)
	if d.ClockMHz > 0 {
		units += fmt.Sprintf(" at up to %d MHz", d.ClockMHz)
	}
	line(w, "  class", units)
	line(w, "  memory", fmt.Sprintf("%s, %s in one allocation, %s local",
		driver.ByteSize(d.Memory), driver.ByteSize(d.MaxAlloc), driver.ByteSize(d.LocalMemory)))
	line(w, "  limits", fmt.Sprintf("%d threads in a block, at most %d × %d × %d; %s of arguments",
		d.MaxBlockVolume, d.MaxBlock[0], d.MaxBlock[1], d.MaxBlock[2], driver.ByteSize(uint64(d.MaxParams))))
	if d.WarpSize > 0 {
		line(w, "  warp", fmt.Sprintf("%d threads", d.WarpSize))
	}
	yes, no := d.abilities()
	line(w, "  has", strings.Join(yes, ", "))
	line(w, "  has not", strings.Join(no, ", "))
	line(w, "  more", wrap(strings.Join(d.Extensions, " "), 78-len(indent)))
}

func (d deviceInfo) abilities() (yes, no []string) {
	for _, a := range []struct {
		name string
		ok   bool
	}{
		{"unified memory", d.UnifiedMemory},
		{"real addresses", d.RealAddresses},
		{"double precision", d.DoublePrecision},
		{"half precision", d.HalfPrecision},
		{"out-of-order streams", d.OutOfOrder},
		{"stream priorities", d.StreamPriorities},
		{"SPIR-V", d.SPIRV},
	} {
		if a.ok {
			yes = append(yes, a.name)
		} else {
			no = append(no, a.name)
		}
	}
	return yes, no
}

const labelWidth = 12

// indent is where the text behind a label stands.
var indent = strings.Repeat(" ", labelWidth+3)

// line prints a labelled line, but none for an empty text.
func line(w io.Writer, label, text string) {
	if text != "" {
		text = strings.ReplaceAll(text, "\n", "\n"+indent)
		fmt.Fprintf(w, "  %-*s %s\n", labelWidth, label, text)
	}
}

// wrap breaks words into lines.
func wrap(words string, width int) string {
	var b strings.Builder
	room := width
	for i, word := range strings.Fields(words) {
		switch {
		case i == 0:
		case len(word)+1 > room:
			b.WriteByte('\n')
			room = width
		default:
			b.WriteByte(' ')
			room--
		}
		b.WriteString(word)
		room -= len(word)
	}
	return b.String()
}
