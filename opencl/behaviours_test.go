package opencl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// behaviours says which tests hold what users of other bindings ran into, by the
// public report. A name with a slash is one of driver/drivertest's.
var behaviours = []struct {
	reports string
	ours    string
	tests   []string
}{
	{"openucx/ucx#9581, minio/warp#499, gorgonia/cu#14", "goroutines that move between threads", []string{"Threads/GoroutinesYieldBetweenCallsOnFreshThreads"}},
	{"icicle#417, #612, #916", "two devices used in turns", []string{"Threads/SeveralDevicesAreUsedInTurns", "TestTwoPlatformsWorkSideBySide"}},
	{"golang/go#24484, #60004", "20,000 waits with a few threads", []string{"TestTwentyThousandGoroutinesWaitWithAFewThreads"}},
	{"robvanmieghem/gominer#28", "others work on while waits are pending", []string{"Waits/GoroutinesGoOnWhileOthersWait", "TestOthersWorkOnWhileAWaitIsPending"}},
	{"decred/gominer#86, #217; CUDA.jl#893; TheRock#7051", "waiting takes little processor time", []string{"TestPendingWaitsUseLittleProcessorTime"}},
	{"CUDA.jl#1350, #2261", "no lock is held over a wait", []string{"TestOthersWorkOnWhileAWaitIsPending", "Soak/MemoryIsFlatOverLaunchesAndWaits"}},
	{"AMDGPU.jl#537, rocm-systems#11678", "calls that enqueue do not wait", []string{"StreamOrder/MemoryFreedAfterALaunchIsReadByIt", "Streams/WorkOfAClosedStreamStillRuns"}},
	{"golang/go#24608; pocl#506, #1430, #2215; chipStar#1090; compute-runtime#869", "callbacks only signal, and events outlive them", []string{"Lifetime/AbandonedWaitsHoldWhatTheyNeed", "Waits/ManyWaitsAreAbandonedWithoutLoss", "Events/CommandsStillWaitForAClosedEvent"}},
	{"yalue/onnxruntime_go#140", "signal handlers stay Go's", []string{"TestInitializationLeavesSignalHandlersAlone", "TestInterruptsDuringAWaitReachTheProgram"}},

	{"aprender#2060, Sarek#382", "too few, too many, wrong size", []string{"Mismatches/TooFewParametersAreRefused", "Mismatches/TooManyParametersAreRefused", "Mismatches/AWiderNumberIsRefused"}},
	{"gorgonia/cu: 8 bytes copied for every argument", "arguments of every size", []string{"Arguments/ValuesOfEverySizeRoundTrip", "Arguments/NestedStructsHaveTheDevicesLayout"}},
	{"cuda.core: an int taken for a pointer", "kinds and types are compared", []string{"Mismatches/ANumberForAPointerIsRefused", "Mismatches/APointerToAnotherTypeIsRefused", "Mismatches/GoIntsAreRefusedByName"}},
	{"OpenCL.jl: float3 is 16 bytes, packed structs", "vectors have OpenCL's alignment", []string{"Vectors/OfFloatsArriveLaneByLane", "Mismatches/PackedThreeForFloat3IsRefused"}},
	{"unixpickle/cuda: kernels without arguments", "they launch", []string{"Arguments/KernelsWithoutParametersLaunch"}},
	{"clFFT#146, pyopencl: clSetKernelArg races", "64 goroutines launch one kernel", []string{"Threads/ManyGoroutinesLaunchOneKernel"}},
	{"llvm#172249", "padding is right, binaries bind unverified", []string{"Arguments/SizesMixInAnyOrder", "Modules/BinariesWorkUnverified"}},

	{"rainliu/gocl#9, decred/gominer#217", "memory is flat, handles return to zero", []string{"Soak/MemoryIsFlatOverLaunchesAndWaits", "Soak/MemoryIsFlatOverObjects", "Lifetime/FailedCallsLeaveNothingBehind"}},
	{"gotch#23, CUDA.jl#778, #1923", "Close is the contract", []string{"Lifetime/CloseTwiceIsCloseOnce", "Lifetime/ChildrenKeepTheirDeviceAlive"}},
	{"tensorflow#25246", "collections beside every call", []string{"Waits/CollectionsRunBesideEveryCall", "Waits/AbandonedCopiesFromTheHostKeepTheirMemory"}},
	{"cuda-oxide#619, cupy#4537", "memory is freed after its last use on any stream", []string{"StreamOrder/MemoryIsReadByAKernelOnAnotherStreamAfterItsClose"}},
	{"gorgonia#222, CUDA.jl#706", "out of memory at once, and the library works on", []string{"Memory/TooMuchIsOutOfMemoryAndHarmless", "Threads/OverAllocationByManyFailsAtOnceAndIsHarmless"}},
	{"CUDA.jl#866", "finished waits keep nothing alive", []string{"Lifetime/PooledWaitsKeepNothingAlive"}},
	{"cudarc#590, #591, #386", "errors stay with their cause", []string{"Errors/AFailureStaysWithItsCall", "TestAFailureReachesThoseWhoDependOnIt"}},

	{"ollama#5493, #2904; cudarc#422, #512", "missing optional symbols cost their feature only", []string{"TestTheEnvironmentNamesTheLibrary", "TestSharedMemoryIsRefusedWhereThereIsNone"}},
	{"ollama#1704, #3751, #10409; cuda-python#17; cudarc#296", "candidates in order, each with its reason", []string{"TestErrorsListEveryPathAndReasonInOrder", "TestSonamesComeBeforeDevelopmentNames", "TestAStubWithoutARequiredSymbolIsPassedOver"}},
	{"samuel/go-opencl#10; pyopencl#797, #537", "no platform says what was looked for", []string{"TestNoPlatformListsVariablesAndFolders"}},
	{"container-toolkit#177; go-nvml#82, #131", "bind-now", []string{"TestProgramsLinkedWithBindNowRun"}},
	{"HIP 7.0: an invalid stream crashes", "closed and nil streams are caught first", []string{"Streams/ClosedStreamsRefuseEverything", "Streams/NilAndForeignStreamsAreRefused"}},
}

func TestEveryBehaviourHasItsTests(t *testing.T) {
	var b strings.Builder
	for _, pattern := range []string{"*_test.go", "../driver/drivertest/*.go", "../driver/library/*_test.go"} {
		files, err := filepath.Glob(pattern)
		check(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			check(t, err)
			b.Write(text)
		}
	}
	source := b.String()
	for _, x := range behaviours {
		for _, name := range x.tests {
			want := "\nfunc " + name + "(t *testing.T)"
			if subject, behaviour, ok := strings.Cut(name, "/"); ok {
				want = "\t{\"" + behaviour + "\", "
				if !strings.Contains(source, "{\""+subject+"\", ") {
					t.Errorf("%s (%s): there is no subject %s", x.ours, x.reports, subject)
				}
			}
			if !strings.Contains(source, want) {
				t.Errorf("%s (%s): there is no test %s", x.ours, x.reports, name)
			}
		}
	}
}
