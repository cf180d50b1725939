module vsr-example

go 1.22

require vsr v0.0.0

replace vsr => ../../bindings/go
