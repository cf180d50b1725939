// Package vsr reads requests: embeddings, classification, entities, and routing by private intents, on models that run
// inside the process. It wraps the C interface of libvsr, whose headers are the manual; names are the same.
//
//	model, err := vsr.LoadModel("path/to/all-MiniLM-L6-v2", nil)
//	if err != nil {
//		return err
//	}
//	defer model.Close()
//	intents, err := vsr.NewIntents(model, nil)
//	if err != nil {
//		return err
//	}
//	defer intents.Close()
//	err = intents.Add("card", []string{"where is my card?", "my card has not arrived"}, nil)
//	matches, err := intents.Route([]string{"still no card in my mail"})
//
// Every type is safe for use by many goroutines. What a call returns is Go memory and needs no freeing. Close is
// idempotent; calls in flight finish, later ones fail with [ErrState]. What is never closed is freed by a finalizer,
// late. A nil options pointer means defaults, as does the zero value of each field. Texts may hold any bytes: what is
// not UTF-8 is read as U+FFFD and counted in [Usage]. Offsets are bytes.
//
// Errors are of type [*Error], and errors.Is finds their code: errors.Is(err, vsr.ErrNotFound). Without cgo the package
// builds, and whatever could fail fails with [ErrNoCgo].
//
// cgo finds the library through pkg-config: set PKG_CONFIG_PATH where vsr.pc is not in a system folder.
package vsr
