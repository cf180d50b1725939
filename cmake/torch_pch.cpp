// Has nothing of its own: this file exists to compile torch_pch.h once.
