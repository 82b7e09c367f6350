/* Halftones a grey page by one of Gutenprint's algorithms: the library's, without a printer driver
 * around it, so that its dots can be judged beside others.
 *
 *     gutenprint ALGORITHM WIDTH HEIGHT < samples > halftone.pbm
 *
 * Samples have 8 bits, 255 is ink. ALGORITHM is a name that the library knows, such as EvenTone.
 * Build: cc gutenprint.c -lgutenprint -o gutenprint (libgutenprint-dev). */
#include <gutenprint/gutenprint.h>
#include <gutenprint/dither.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int page_width, page_height;

static int width_of(stp_image_t *image) {
  (void)image;
  return page_width;
}

static int height_of(stp_image_t *image) {
  (void)image;
  return page_height;
}

static void *memory(size_t bytes) {
  void *got = calloc(bytes, 1);
  if (got == NULL) {
    fprintf(stderr, "gutenprint: out of memory\n");
    exit(1);
  }
  return got;
}

/* One black ink with one size of drops, which is solid ink. */
static stp_vars_t *make_dither(const char *algorithm, unsigned char *bits) {
  static stp_image_t image = {.width = width_of, .height = height_of};
  static const double drop = 1.0;
  stp_vars_t *vars = stp_vars_create();
  stp_set_string_parameter(vars, "DitherAlgorithm", algorithm);
  stp_set_float_parameter(vars, "Density", 1.0);
  stp_dither_init(vars, &image, page_width, 1, 1);
  stp_dither_add_channel(vars, bits, STP_ECOLOR_K, 0);
  stp_dither_set_inks_simple(vars, STP_ECOLOR_K, 1, &drop, 1.0, 1.0);
  return vars;
}

int main(int count, char **arguments) {
  if (count != 4) {
    fprintf(stderr, "usage: gutenprint ALGORITHM WIDTH HEIGHT < samples > halftone.pbm\n");
    return 2;
  }
  page_width = atoi(arguments[2]);
  page_height = atoi(arguments[3]);
  if (page_width <= 0 || page_height <= 0 || stp_init() != 0) return 1;
  const size_t across = (size_t)page_width, row_bytes = (across + 7) / 8;
  unsigned char *samples = memory(across), *bits = memory(row_bytes + 64);
  unsigned short *ink = memory(across * sizeof *ink);
  stp_vars_t *vars = make_dither(arguments[1], bits);
  printf("P4 %d %d\n", page_width, page_height);
  for (int y = 0; y < page_height; ++y) {
    if (fread(samples, 1, across, stdin) != across) {
      fprintf(stderr, "gutenprint: row %d is missing\n", y);
      return 1;
    }
    for (size_t x = 0; x < across; ++x) ink[x] = (unsigned short)(257 * samples[x]);
    memset(bits, 0, row_bytes);
    stp_dither_internal(vars, y, ink, 0, 0, NULL);
    fwrite(bits, 1, row_bytes, stdout);
  }
  return fflush(stdout) == 0 ? 0 : 1;
}
