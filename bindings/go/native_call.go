//go:build cgo

package vsr

/*
#cgo pkg-config: vsr
#include <stdlib.h>
#include <vsr/vsr.h>
*/
import "C"

import (
	"strings"
	"sync"
	"unsafe"
)

// Every way to a handle passes here, so that no other call reaches a library of another ABI.
var checkABI = sync.OnceValue(func() error { return abiError(uint32(C.vsr_abi_version()), C.VSR_ABI_VERSION) })

func abiError(loaded, built uint32) error {
	if loaded == built {
		return nil
	}
	return errorf(ErrUnsupported, "libvsr has ABI version %d, this package was built for %d (hint: rebuild it)",
		loaded, built)
}

// call turns the outcome of one C call into an error.
func call(f func(*C.vsr_error) C.vsr_status) error {
	if err := checkABI(); err != nil {
		return err
	}
	cError := C.vsr_error{struct_size: C.sizeof_vsr_error}
	if status := f(&cError); status != C.VSR_OK {
		return &Error{Code: Status(status), Message: C.GoString(&cError.message[0])}
	}
	return nil
}

// arena is C memory for the arguments of one call.
type arena struct{ blocks []unsafe.Pointer }

func (a *arena) alloc(size uintptr) unsafe.Pointer {
	block := C.malloc(C.size_t(size))
	a.blocks = append(a.blocks, block)
	return block
}

func (a *arena) free() {
	for _, block := range a.blocks {
		C.free(block)
	}
}

// texts copies a batch in one allocation: the array, then the bytes.
func (a *arena) texts(texts []string) (*C.vsr_str, C.size_t) {
	if len(texts) == 0 {
		return nil, 0
	}
	header := uintptr(len(texts)) * C.sizeof_vsr_str
	size := header
	for _, text := range texts {
		size += uintptr(len(text))
	}
	block := a.alloc(size)
	array := unsafe.Slice((*C.vsr_str)(block), len(texts))
	bytes := unsafe.Slice((*byte)(block), size)[header:]
	for i, text := range texts {
		array[i] = C.vsr_str{size: C.size_t(len(text))}
		if len(text) > 0 {
			array[i].data = (*C.char)(unsafe.Pointer(&bytes[0]))
			bytes = bytes[copy(bytes, text):]
		}
	}
	return &array[0], C.size_t(len(texts))
}

func (a *arena) text(text string) C.vsr_str {
	array, _ := a.texts([]string{text})
	return *array
}

// name copies a name or path; one that holds a NUL, where C would end it, is refused and not cut.
func (a *arena) name(value, what string) (*C.char, error) {
	if strings.IndexByte(value, 0) >= 0 {
		return nil, errorf(ErrInvalidArgument, "%s holds a NUL", what)
	}
	c := C.CString(value)
	a.blocks = append(a.blocks, unsafe.Pointer(c))
	return c, nil
}

// optional is name with NULL for "".
func (a *arena) optional(value, what string) (*C.char, error) {
	if value == "" {
		return nil, nil
	}
	return a.name(value, what)
}

// optionals fills each C string from its Go value.
func (a *arena) optionals(fields ...optionalField) error {
	for _, field := range fields {
		c, err := a.optional(field.value, field.what)
		if err != nil {
			return err
		}
		*field.out = c
	}
	return nil
}

type optionalField struct {
	out   **C.char
	value string
	what  string
}

func takeString(s *C.vsr_string) string {
	defer C.vsr_string_free(s)
	return textOf(C.vsr_string_text(s))
}

// textOf gives "" where there is no text.
func textOf(text C.vsr_str) string {
	return string(unsafe.Slice((*byte)(unsafe.Pointer(text.data)), int(text.size)))
}

// copied gives a C array as Go memory.
func copied[Go, Ctype any](array *Ctype, n int) []Go {
	if n == 0 {
		return nil
	}
	out := make([]Go, n)
	copy(out, unsafe.Slice((*Go)(unsafe.Pointer(array)), n))
	return out
}

func cBool(value bool) C.int32_t {
	if value {
		return 1
	}
	return 0
}

func nativeVersion() string { return textOf(C.vsr_version()) }

func nativeTorchVersion() string { return textOf(C.vsr_torch_version()) }
