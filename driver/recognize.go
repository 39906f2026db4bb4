package driver

import "reflect"

// How the signature reader recognises this package's own types, whatever their
// type arguments: by a method. A struct that embeds one of them has the method
// too and is none of them, so the package counts as well.

type (
	pointerType interface{ pointee() reflect.Type }
	localType   interface{ localElem() reflect.Type }
	// vectorType: lanes is the number of elements that count, stride the number
	// that the type occupies, aligned whether it is aligned to its whole size.
	vectorType interface {
		vector() (lanes, stride int, aligned bool)
	}
)

func (Ptr[T]) pointee() reflect.Type     { return reflect.TypeFor[T]() }
func (Local[T]) localElem() reflect.Type { return reflect.TypeFor[T]() }

func (Vec2[T]) vector() (int, int, bool)    { return 2, 2, true }
func (Vec3[T]) vector() (int, int, bool)    { return 3, 4, true }
func (Vec4[T]) vector() (int, int, bool)    { return 4, 4, true }
func (Vec8[T]) vector() (int, int, bool)    { return 8, 8, true }
func (Vec16[T]) vector() (int, int, bool)   { return 16, 16, true }
func (Packed3[T]) vector() (int, int, bool) { return 3, 3, false }

var ownPath = reflect.TypeFor[Half]().PkgPath()

// own is a value of t if t is of this package, for a look at its methods.
func own(t reflect.Type) any {
	if t.PkgPath() != ownPath {
		return nil
	}
	return reflect.Zero(t).Interface()
}

// pointeeOf is T if t is a Ptr[T].
func pointeeOf(t reflect.Type) (reflect.Type, bool) {
	if v, ok := own(t).(pointerType); ok {
		return v.pointee(), true
	}
	return nil, false
}

// localElemOf is T if t is a Local[T].
func localElemOf(t reflect.Type) (reflect.Type, bool) {
	if v, ok := own(t).(localType); ok {
		return v.localElem(), true
	}
	return nil, false
}

func vectorOf(t reflect.Type) (vectorType, bool) {
	v, ok := own(t).(vectorType)
	return v, ok
}
