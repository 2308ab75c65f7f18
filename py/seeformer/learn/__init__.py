"""Learning: gradients of the kernels, and what is done with them."""
