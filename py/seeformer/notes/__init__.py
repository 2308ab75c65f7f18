"""What leaves the page as a note: kernels and labs as blocks of Python that stand alone, and their pictures."""
