/* Halftones a ramp of 16 x 4 greys and prints its dots. */
#include <mezzotint/mezzotint.h>
#include <stdio.h>
int main(void) {
  unsigned char grey[64], dots[64];
  for (int i = 0; i < 64; ++i) grey[i] = (unsigned char)(i % 16 * 17);
  const mezzotint_image page = {.samples = grey, .width = 16, .height = 4, .sample_bits = 8};
  const mezzotint_dots out = {.data = dots, .bits_per_pixel = 8};
  if (mezzotint_halftone(mezzotint_settings_new(), &page, &out, NULL) != 0) return 1;
  for (int i = 0; i < 64; ++i) printf(i % 16 == 15 ? "%c\n" : "%c", dots[i] ? '#' : '.');
}
