package drivertest

import (
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// mismatch binds a kernel to a struct that does not fit and wants an error that
// says so: in the words bySize where the driver tells of parameters at least the
// sizes, and also in the words byType where it tells everything. With bySize nil,
// sizes alone don't show the mismatch.
func mismatch[A any](module, kernel string, bySize, byType words) func(*env) {
	return func(e *env) {
		e.Helper()
		if bySize == nil {
			e.tells(ParameterTypes)
		}
		e.tells(ParameterSizes)
		sig, err := driver.SignatureOf[A]()
		e.ok(err)
		k, err := e.module(module).Kernel(background, kernel, sig)
		if err == nil {
			closeAll(e, k)
			e.Fatalf("kernel %s was bound to %s", kernel, sig)
		}
		e.is("Kernel", err, driver.ErrSignature)
		want := append(words{kernel}, bySize...)
		if e.h.Parameters == ParameterTypes {
			want = append(want, byType...)
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				e.Errorf("the error lacks %q: %v", w, err)
			}
		}
	}
}

type words []string

// refusedStruct wants SignatureOf to refuse a struct in these words.
func refusedStruct[A any](words ...string) func(*env) {
	return func(e *env) {
		e.Helper()
		sig, err := driver.SignatureOf[A]()
		if err == nil {
			e.Fatalf("accepted as %s", sig)
		}
		e.is("SignatureOf", err, driver.ErrSignature)
		for _, w := range words {
			if !strings.Contains(err.Error(), w) {
				e.Errorf("the error lacks %q: %v", w, err)
			}
		}
	}
}

type (
	fewArgs  struct{ Out driver.Ptr[uint32] }
	manyArgs struct {
		Out      driver.Ptr[uint32]
		Value, X uint32
	}
	wideArgs struct {
		Out   driver.Ptr[uint32]
		Value uint64
	}
	signedArgs struct {
		Out   driver.Ptr[uint32]
		Value int32
	}
	floatArgs struct {
		Out   driver.Ptr[uint32]
		Value float32
	}
	narrowArgs struct {
		Out   driver.Ptr[uint32]
		Value uint16
	}
	swappedArgs struct {
		Value uint32
		Out   driver.Ptr[uint32]
	}
	numberForPointer struct {
		Out   uint64
		Value uint32
	}
	pointerForNumber struct{ Out, Value driver.Ptr[uint32] }
	floatPointer     struct {
		Out   driver.Ptr[float32]
		Value uint32
	}
	widePointer struct {
		Out   driver.Ptr[uint64]
		Value uint32
	}
	structForNumber struct {
		Out   driver.Ptr[uint32]
		Value struct{ N uint32 }
	}
	vectorForNumber struct {
		Out   driver.Ptr[uint32]
		Value driver.UInt2
	}
	localForPointer struct {
		Out   driver.Local[uint32]
		Value uint32
	}
	pointerForLocal struct{ X, A, B driver.Ptr[uint32] }
	wrongLocal      struct {
		X    driver.Ptr[uint32]
		A, B driver.Local[uint64]
	}
	s12Short struct {
		A   struct{ A, B int32 }
		Out driver.Ptr[s12]
	}
	s12Long struct {
		A   struct{ A, B, C, D int32 }
		Out driver.Ptr[s12]
	}
	s12Elem struct {
		A   s12
		Out driver.Ptr[struct{ A, B int32 }]
	}
	numberForStruct struct {
		A   uint64
		Out driver.Ptr[s12]
	}
	wrongTypedef struct {
		A   float64
		B   s12
		Out driver.Ptr[float32]
	}
	unlikeTypedef struct {
		A   int32
		B   s12
		Out driver.Ptr[float32]
	}
	wrongTriple struct {
		A   float32
		B   struct{ A, B int32 }
		Out driver.Ptr[float32]
	}
	pointeeTypedef struct {
		A   float32
		B   s12
		Out driver.Ptr[float64]
	}
	packedFloat3 struct {
		A   uint8
		B   uint64
		C   uint16
		D   s12
		E   int8
		F   driver.Packed3[float32]
		G   uint32
		Out driver.Ptr[uint64]
	}
	boolForUint struct {
		Out   driver.Ptr[uint32]
		Value bool
	}
)

var mismatchTests = []test{
	{"TooFewParametersAreRefused", mismatch[fewArgs]("basic", "store", words{"2", "1", "(uint*)"}, words{"value"})},
	{"TooManyParametersAreRefused", mismatch[manyArgs]("basic", "store", words{"2", "3", "(uint*, uint, uint)"}, nil)},
	{"ParametersForNoneAreRefused", mismatch[fewArgs]("basic", "nothing", words{"0", "1"}, nil)},
	{"NoneForParametersAreRefused", mismatch[struct{}]("basic", "saxpy", words{"4", "0"}, nil)},
	{"AWiderNumberIsRefused", mismatch[wideArgs]("basic", "store", words{"parameter 1", "Value", "uint64", "4", "8"}, words{"uint value"})},
	{"ANarrowerNumberIsRefused", mismatch[narrowArgs]("basic", "store", words{"parameter 1", "Value", "uint16", "4", "2"}, words{"uint value"})},
	{"AnotherSignIsRefused", mismatch[signedArgs]("basic", "store", nil, words{"parameter 1", "uint value", "Value", "int32"})},
	{"AFloatForAnIntegerIsRefused", mismatch[floatArgs]("basic", "store", nil, words{"parameter 1", "uint value", "Value", "float32"})},
	{"SwappedParametersAreRefused", mismatch[swappedArgs]("basic", "store", words{"parameter 0", "Value"}, words{"uint* out", "driver.Ptr"})},
	{"ANumberForAPointerIsRefused", mismatch[numberForPointer]("basic", "store", nil, words{"parameter 0", "uint* out", "Out", "driver.Ptr", "uint64"})},
	{"APointerForANumberIsRefused", mismatch[pointerForNumber]("basic", "store", words{"parameter 1", "Value", "driver.Ptr[uint32]"}, words{"uint value"})},
	{"APointerToAnotherTypeIsRefused", mismatch[floatPointer]("basic", "store", nil, words{"parameter 0", "uint* out", "Out", "driver.Ptr[float32]"})},
	{"APointerToWiderElementsIsRefused", mismatch[widePointer]("basic", "store", nil, words{"parameter 0", "uint* out", "Out", "driver.Ptr[uint64]", "4", "8"})},
	{"AStructForANumberIsRefused", mismatch[structForNumber]("basic", "store", nil, words{"parameter 1", "uint value", "Value"})},
	{"AVectorForANumberIsRefused", mismatch[vectorForNumber]("basic", "store", words{"parameter 1", "Value", "4", "8"}, words{"uint value", "uint2"})},
	{"ABoolForAnIntegerIsRefused", mismatch[boolForUint]("basic", "store", words{"parameter 1", "Value", "bool"}, words{"uint value"})},
	{"LocalMemoryForAPointerIsRefused", mismatch[localForPointer]("basic", "store", words{}, words{"parameter 0", "uint* out", "Out", "driver.Local[uint32]"})},
	{"APointerForLocalMemoryIsRefused", mismatch[pointerForLocal]("basic", "reverse", words{}, words{"parameter 1", "driver.Local", "A", "driver.Ptr[uint32]"})},
	{"LocalMemoryOfAnotherTypeIsRefused", mismatch[wrongLocal]("basic", "reverse", nil, words{"parameter 1", "A", "driver.Local[uint64]"})},
	{"AShorterStructIsRefused", mismatch[s12Short]("args", "shape12", words{"parameter 0", "A", "12", "8"}, words{"struct s12"})},
	{"ALongerStructIsRefused", mismatch[s12Long]("args", "shape12", words{"parameter 0", "A", "12", "16"}, words{"struct s12"})},
	{"APointerToAShorterStructIsRefused", mismatch[s12Elem]("args", "shape12", nil, words{"parameter 1", "struct s12", "Out", "12", "8"})},
	{"ANumberForAStructIsRefused", mismatch[numberForStruct]("args", "shape12", words{"parameter 0", "A", "uint64", "12", "8"}, words{"struct s12"})},
	{"ATypedefOfAnotherSizeIsRefused", mismatch[wrongTypedef]("args", "typedefs", words{"parameter 0", "A", "float64", "4", "8"}, words{"real a"})},
	{"ATypedefOfAnotherTypeIsRefused", mismatch[unlikeTypedef]("args", "typedefs", nil, words{"parameter 0", "real a", "A", "int"})},
	{"ATypedefOfAStructIsMeasured", mismatch[wrongTriple]("args", "typedefs", words{"parameter 1", "B", "12", "8"}, words{"triple b"})},
	{"APointerToATypedefIsMeasured", mismatch[pointeeTypedef]("args", "typedefs", nil, words{"parameter 2", "real* out", "Out", "4", "8"})},
	{"PackedThreeForFloat3IsRefused", mismatch[packedFloat3]("args", "mixed", words{"parameter 5", "F", "16", "12"}, words{"float3 f"})},
	{"GoIntsAreRefusedByName", refusedStruct[struct{ N int }]("N", "int32 or int64")},
	{"GoPointersAreRefusedByName", refusedStruct[struct{ P *float32 }]("P", "driver.Ptr")},
	{"GoSlicesAreRefusedByName", refusedStruct[struct{ S []float32 }]("S", "driver.Ptr[float32]")},
	{"GoStringsAreRefusedByName", refusedStruct[struct{ S string }]("S", "driver.Ptr[uint8]")},
	{"ArraysAsParametersAreRefused", refusedStruct[struct{ A [4]float32 }]("A", "array")},
	{"StructsThatGoAlignsOtherwiseAreRefused", refusedStruct[struct {
		S struct {
			A float32
			V driver.Float4
		}
	}]("S.V", "_ [12]byte")},
	{"LocalMemoryWithinStructsIsRefused", refusedStruct[struct {
		S struct{ L driver.Local[uint32] }
	}]("S.L", "local memory")},
	{"NumbersAreNoArguments", refusedStruct[int32]("struct")},
}
