module gateway

go 1.24.0

require vsr v0.0.0

replace vsr => ../../bindings/go
