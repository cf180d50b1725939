module vsr

go 1.22
