module gatewaybench

go 1.24.0
