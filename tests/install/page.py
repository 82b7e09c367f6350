# Halftones a ramp of 16 x 4 greys and prints its dots.
import mezzotint, numpy
grey = numpy.tile(numpy.arange(16, dtype=numpy.uint8) * 17, (4, 1))
for row in mezzotint.halftone(grey, "floyd-steinberg"):
    print("".join(".#"[dot] for dot in row))
