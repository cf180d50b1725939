package vsr

// MaskOptions: see vsr_mask_options.
type MaskOptions struct {
	Key           string   // of the placeholders; empty: a random one
	Tenant        string   // the same value of another tenant has another placeholder
	PIITask       string   // entities that have no form, such as names; empty: not asked
	Threshold     float32  // 0: 0.5
	Types         []string // such as EMAIL_ADDRESS; none: all but URL
	FailOnUnknown bool     // what looks like a placeholder in an answer and is none ends it
}

// Mask keeps values of one tenant that were masked, by their placeholders. Its methods may run at once.
type Mask struct{ handle *handle }

// NewMask makes an empty mask; see vsr_mask_create. The engine has PIITask; nil: the default one where a task is named.
func NewMask(engine *Engine, options *MaskOptions) (*Mask, error) {
	if options == nil {
		options = &MaskOptions{}
	}
	handle, err := nativeNewMask(engine, options)
	if err != nil {
		return nil, err
	}
	return &Mask{handle}, nil
}

// Mask restores the answer to a routed request that left masked, by the plugin pii_mask; nil where it did not. See
// vsr_decision_mask.
func (d *Decision) Mask() (*Mask, error) {
	handle, err := nativeDecisionMask(d)
	if handle == nil {
		return nil, err
	}
	return &Mask{handle}, nil
}

// Close gives up the mask; streams over it go on.
func (m *Mask) Close() error {
	if m != nil {
		m.handle.close()
	}
	return nil
}

// Text puts placeholders in the place of personal data. Where it fails nothing may leave.
func (m *Mask) Text(text string) (string, error) { return nativeMaskText(m, text) }

// Request does the same in a request as JSON; what is not masked stays byte for byte.
func (m *Mask) Request(request string) (string, error) { return nativeMaskRequest(m, request) }

// Restore puts the values back into a text.
func (m *Mask) Restore(text string) (string, error) { return nativeMaskRestore(m, text) }

// Stream restores an answer that is fed to it; see vsr_mask_stream.
func (m *Mask) Stream(format StreamFormat) (*Guard, error) {
	handle, err := nativeMaskStream(m, format)
	if err != nil {
		return nil, err
	}
	return &Guard{handle}, nil
}

// Describe gives the JSON of vsr_mask_describe: what was masked, by type.
func (m *Mask) Describe() (string, error) { return nativeMaskDescribe(m) }
