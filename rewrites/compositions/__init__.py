"""Laws as classical compositions of several noises: each rule undoes an integral over one of them."""
