package vsr

import "fmt"

// Status is a code of VSR_ERR_... and, as an error, what errors.Is compares with.
type Status int32

const (
	ErrInvalidArgument Status = 1  // an argument is missing, out of range, or contradicts another
	ErrNotFound        Status = 2  // a file, task, label or token that was named does not exist
	ErrIO              Status = 3  // a file exists and cannot be read or written
	ErrParse           Status = 4  // a file's text is not what its format demands
	ErrWeights         Status = 5  // tensors are missing, superfluous, misshapen or not finite
	ErrUnsupported     Status = 6  // well formed, and not something this build runs
	ErrState           Status = 7  // not now: before Init, after Shutdown or Close, or already initialised otherwise
	ErrLimit           Status = 8  // longer or larger than the limit that the caller or the model sets
	ErrOutOfMemory     Status = 9  // memory ran out
	ErrCancelled       Status = 10 // a Progress asked to stop, or the Context was cancelled
	ErrInternal        Status = 11 // a defect of vsr; the message helps to report it
	ErrDeadline        Status = 12 // the deadline of the Context passed before the call was done
)

// Error gives the name of the code in the C interface.
func (s Status) Error() string {
	if name, known := statusNames[s]; known {
		return name
	}
	return fmt.Sprintf("VSR_ERR_UNKNOWN (%d)", int32(s))
}

// Error says why a call failed.
type Error struct {
	Code    Status
	Message string // one line that says what is wrong
}

func (e *Error) Error() string { return "vsr: " + e.Message }

// Unwrap gives the code to errors.Is.
func (e *Error) Unwrap() error { return e.Code }

// ErrNoCgo is what every call returns in a build without cgo.
var ErrNoCgo = &Error{Code: ErrUnsupported, Message: "built without cgo (hint: set CGO_ENABLED=1 and install a C compiler)"}

func errorf(code Status, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}
