/* mezzotint from C, and from every language that calls C: halftoning of arrays, pages in, plates
 * out, whole jobs. mezzotint.hpp has the same for C++, the Python module `mezzotint` for Python.
 *
 *     mezzotint_settings* settings = mezzotint_settings_new();
 *     mezzotint_set(settings, "method", "floyd-steinberg", NULL);
 *     mezzotint_image page = {.samples = grey, .width = 640, .height = 480, .sample_bits = 8};
 *     mezzotint_dots dots = {.data = bits, .bits_per_pixel = 1};
 *     if (mezzotint_halftone(settings, &page, &dots, &error) != 0) puts(error.message);
 *
 * Errors: a function that can fail returns a status, 0 or one of the program's exit statuses
 * (MEZZOTINT_USAGE, ..), or a pointer, which is NULL then. Its last argument, which may be NULL,
 * gets the status and a sentence for people: what happened, where, and what to do.
 *
 * Handles (mezzotint_settings, mezzotint_stream, ..) are made by ..._new() or ..._open() and belong
 * to the caller, who gives them to their ..._free(), which takes NULL too. A handle is for one
 * thread at a time; any number of handles work at once. Texts are UTF-8 and end with NUL. `const
 * char*` results live as long as their handle, or for ever where there is none; `char*` results are
 * given to mezzotint_free().
 *
 * Binary compatibility: a function or a member of a struct never changes and never goes within one
 * soname; new members take the place of `reserved`, which must be 0.
 */
#ifndef MEZZOTINT_MEZZOTINT_H
#define MEZZOTINT_MEZZOTINT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MEZZOTINT_API __attribute__((visibility("default")))
#else
#define MEZZOTINT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ---- */

enum {
  MEZZOTINT_GOOD = 0,
  MEZZOTINT_SOME_FAILED = 1,    /* the job ended, and some of its sheets failed */
  MEZZOTINT_USAGE = 64,         /* arguments or settings that do not fit */
  MEZZOTINT_DATA = 65,          /* a file is damaged, or of a kind that is not read */
  MEZZOTINT_MISSING = 66,       /* there is no such file */
  MEZZOTINT_DEVICE = 69,        /* there is no such GPU */
  MEZZOTINT_BUG = 70,           /* of mezzotint itself */
  MEZZOTINT_SYSTEM = 71,        /* memory, threads, a GPU that was lost */
  MEZZOTINT_CANNOT_CREATE = 73, /* a plate cannot be written there */
  MEZZOTINT_IO = 74,            /* reading or writing failed */
  MEZZOTINT_TRY_AGAIN = 75,   /* no memory, a full disk, a limit of time; another run may succeed */
  MEZZOTINT_INTERRUPTED = 130 /* cancelled */
};

typedef struct mezzotint_error {
  int status;
  char message[4092]; /* empty when status is 0; cut where it is longer */
} mezzotint_error;

/* ---- The library ---- */

/* "0.1.0", of the library that runs. */
MEZZOTINT_API const char* mezzotint_version(void);

/* GPUs that it can use here. Takes a quarter of a second the first time. */
MEZZOTINT_API uint32_t mezzotint_gpu_count(void);

/* Frees a text that a function returned as char*. */
MEZZOTINT_API void mezzotint_free(char* text);

/* ---- Methods and their parameters, by index ---- */

MEZZOTINT_API size_t mezzotint_method_count(void);
/* NULL from the count on, here and below. */
MEZZOTINT_API const char* mezzotint_method_name(size_t method);
MEZZOTINT_API const char* mezzotint_method_summary(size_t method);
/* Names of the engines that run it, "cpu gpu", apart by spaces. */
MEZZOTINT_API const char* mezzotint_method_engines(size_t method);

MEZZOTINT_API size_t mezzotint_parameter_count(size_t method);
MEZZOTINT_API const char* mezzotint_parameter_name(size_t method, size_t parameter);
MEZZOTINT_API const char* mezzotint_parameter_summary(size_t method, size_t parameter);
/* "%", "px", "s"; empty for plain numbers and for choices. */
MEZZOTINT_API const char* mezzotint_parameter_unit(size_t method, size_t parameter);
/* Its values where they have names: the name of value `choice`. NULL from their number on. */
MEZZOTINT_API const char* mezzotint_parameter_choice(size_t method,
                                                     size_t parameter,
                                                     size_t choice);
/* The range and the default; of a choice, the indices of its names. Pointers may be NULL. Returns 0
 * and sets nothing where there is no such parameter, else 1. */
MEZZOTINT_API int mezzotint_parameter_range(
    size_t method, size_t parameter, double* least, double* most, double* standard);

/* ---- Settings ---- */

typedef struct mezzotint_settings mezzotint_settings;

/* Floyd-Steinberg on all processors. NULL where memory is short. */
MEZZOTINT_API mezzotint_settings* mezzotint_settings_new(void);
MEZZOTINT_API void mezzotint_settings_free(mezzotint_settings* settings);

/* Sets one setting, as a manifest writes its value. For every method:
 *
 *   method      its name
 *   engine      auto (the CPU), cpu, gpu, handover or hybrid; the dots are the same
 *   schedule    an algorithm of the engine, for comparisons; empty: its fastest
 *   threads     to work with; 0, the default: one for each processor
 *   paper       max (grey: the largest sample is paper) or min (the sample is the amount of ink)
 *   max_sample  the largest sample; 0, the default: the largest of its bits
 *   gamma       exponent of coverage, 0.1 to 10
 *   invert      true or false
 *   ink         its name ("cyan") or a number: another one gets other dots. 0, the default, is black
 *   plane       its number on the page, which tells its noise from others; default: as the ink has it
 *   dpi         resolution of the plate. Method am needs it, and the others do without
 *
 * and every parameter of the method, as "block", "16". A value that no method takes is refused at
 * once; the rest is checked when the settings are used, as the method may be set later. An empty value
 * takes a setting back to its default. Method am has the usual angle of an ink that is named, and
 * needs `angle` for one with a number, other than 0. Refused is what concerns all inks of a sheet:
 * "inks", "together" and "moire", "accept"; jobs have them. */
MEZZOTINT_API int mezzotint_set(mezzotint_settings* settings,
                                const char* name,
                                const char* value,
                                mezzotint_error* error);
/* The same for numbers. */
MEZZOTINT_API int mezzotint_set_number(mezzotint_settings* settings,
                                       const char* name,
                                       double value,
                                       mezzotint_error* error);
/* The transfer curve: `count` points from coverage to coverage, in percent; 0 points: none. */
MEZZOTINT_API int mezzotint_set_curve(mezzotint_settings* settings,
                                      const double* in_percent,
                                      const double* out_percent,
                                      size_t count,
                                      mezzotint_error* error);
/* The thresholds of method `tile`: width x height values below 2^bits, by rows without gaps, which
 * are copied. The lowest value takes ink first. */
MEZZOTINT_API int mezzotint_set_tile(mezzotint_settings* settings,
                                     const uint16_t* thresholds,
                                     uint32_t width,
                                     uint32_t height,
                                     uint32_t bits,
                                     mezzotint_error* error);

/* Called repeatedly while mezzotint_halftone() and streams with the settings work on the CPU, from any of their
 * threads. If it does not return 0, the call stops and returns MEZZOTINT_INTERRUPTED. NULL: never called. */
typedef int (*mezzotint_on_pulse)(void* context);
MEZZOTINT_API void mezzotint_set_pulse(mezzotint_settings* settings,
                                       mezzotint_on_pulse on_pulse,
                                       void* context);

/* ---- Halftoning an array ---- */

enum {
  MEZZOTINT_HOST = 0,
  MEZZOTINT_CUDA = 1 /* the memory of a GPU, by its address there */
};

/* One plane of a page. */
typedef struct mezzotint_image {
  const void* samples;  /* the top left one; host byte order; 16 bits at an even address */
  uint32_t width;       /* pixels, 1 .. 2^20 */
  uint32_t height;      /* pixels, 1 .. 2^20 */
  uint32_t sample_bits; /* 8 or 16 */
  uint32_t memory;      /* MEZZOTINT_HOST or MEZZOTINT_CUDA */
  size_t row_bytes;     /* from row to row; 0: rows without gaps */
  size_t pixel_bytes;   /* from pixel to pixel; 0: samples without gaps. On the host alone */
  void* stream;         /* MEZZOTINT_CUDA: the cudaStream_t whose work makes the samples */
  uint64_t reserved[4];
} mezzotint_image;

/* Its dots: 1 is ink, 0 is paper. */
typedef struct mezzotint_dots {
  void* data;              /* where they go */
  uint32_t bits_per_pixel; /* 1: eight to a byte, the first in the highest bit, the bits behind the
                              last pixel 0. 8: a byte a pixel */
  uint32_t memory;         /* that of the image */
  size_t row_bytes;        /* from row to row; 0: rows without gaps */
  uint64_t reserved[4];
} mezzotint_dots;

/* Halftones `page` into `dots`, on the threads of the settings, or wholly on the GPU that has the
 * page in its memory; there the call returns when the dots are made. The dots are those that the
 * program makes of the same page. Takes little memory of its own, but for searches (dbs, les, pes)
 * and for engines with a GPU, which need the plane. */
MEZZOTINT_API int mezzotint_halftone(const mezzotint_settings* settings,
                                     const mezzotint_image* page,
                                     const mezzotint_dots* dots,
                                     mezzotint_error* error);

/* Memory of a GPU, for dots. NULL without one, or when it has no room. */
MEZZOTINT_API void* mezzotint_gpu_alloc(size_t bytes, mezzotint_error* error);
MEZZOTINT_API void mezzotint_gpu_free(void* memory);

/* ---- Halftoning in bands ---- */

/* A plane that comes from the top in bands of any height, and whose dots go the same way. */
typedef struct mezzotint_stream mezzotint_stream;

/* `width` in pixels; `sample_bits` 8 or 16; `bits_per_pixel` as in mezzotint_dots. The settings are
 * copied. After a failure in the middle of its work a stream takes no more rows. */
MEZZOTINT_API mezzotint_stream* mezzotint_stream_new(const mezzotint_settings* settings,
                                                     uint32_t width,
                                                     uint32_t sample_bits,
                                                     uint32_t bits_per_pixel,
                                                     mezzotint_error* error);
MEZZOTINT_API void mezzotint_stream_free(mezzotint_stream* stream);

/* Takes the next `count` rows, `row_bytes` apart (0: without gaps), which are copied. */
MEZZOTINT_API int mezzotint_stream_put(mezzotint_stream* stream,
                                       const void* rows,
                                       size_t row_bytes,
                                       uint32_t count,
                                       mezzotint_error* error);
/* Says that there are no more rows. */
MEZZOTINT_API int mezzotint_stream_end(mezzotint_stream* stream, mezzotint_error* error);
/* Rows whose dots are made and not yet taken. A method may hold rows back until it has seen those
 * below; a search holds all of them back until the end. */
MEZZOTINT_API uint32_t mezzotint_stream_ready(const mezzotint_stream* stream);
/* Takes the dots of the next `count` rows, at most those that are ready. */
MEZZOTINT_API int mezzotint_stream_take(
    mezzotint_stream* stream, void* rows, size_t row_bytes, uint32_t count, mezzotint_error* error);

/* ---- Pages of contone TIFF files ---- */

typedef struct mezzotint_page mezzotint_page;

typedef struct mezzotint_page_info {
  uint32_t page_count; /* of the file */
  uint32_t width, height;
  uint32_t ink_count;
  uint32_t sample_bits;  /* of the samples that are handed out: 8 or 16 */
  uint32_t max_sample;   /* the largest of them, for the setting of that name */
  uint32_t max_is_paper; /* 1: grey; 0: separations, whose samples are amounts of ink */
  uint32_t rows_at_once; /* bands of a multiple of this are read fastest */
  double x_dpi, y_dpi;   /* 0: the file does not say */
  uint64_t reserved[4];
} mezzotint_page_info;

/* Opens page `number`, from 1, of a file of any layout that `mezzotint help` names. */
MEZZOTINT_API mezzotint_page* mezzotint_page_open(const char* path,
                                                  uint32_t number,
                                                  mezzotint_error* error);
MEZZOTINT_API void mezzotint_page_free(mezzotint_page* page);
MEZZOTINT_API void mezzotint_page_describe(const mezzotint_page* page, mezzotint_page_info* info);
/* "black", "cyan"; NULL from the ink_count on. */
MEZZOTINT_API const char* mezzotint_page_ink(const mezzotint_page* page, uint32_t ink);
/* The number of the ink with this name, or another of its names: as in manifests, they compare without
 * case, and K, Schwarz and Process Black are black. A usage error without such an ink, and where two
 * have the name and neither is spelt so. */
MEZZOTINT_API int mezzotint_page_find_ink(const mezzotint_page* page,
                                          const char* name,
                                          uint32_t* ink,
                                          mezzotint_error* error);
/* Reads `count` rows from `first_row` on: `planes` has a pointer for each ink, NULL for one that is
 * not wanted, to rows `row_bytes` apart (0: without gaps). Downwards is fastest. */
MEZZOTINT_API int mezzotint_page_read(mezzotint_page* page,
                                      uint32_t first_row,
                                      uint32_t count,
                                      void* const* planes,
                                      size_t row_bytes,
                                      mezzotint_error* error);

/* ---- Plates ---- */

typedef struct mezzotint_plate mezzotint_plate;

typedef struct mezzotint_plate_info {
  uint32_t width, height;  /* pixels */
  double x_dpi, y_dpi;     /* 0 to 1000000; 0: the plate does not say */
  const char* ink;         /* its tag InkNames; NULL: none */
  const char* compression; /* none, packbits, g4, deflate, .. as in manifests; NULL: lzw */
  uint64_t replace_any;    /* 1: also a file that is no plate of mezzotint; 0: not */
  uint64_t reserved[3];
} mezzotint_plate_info;

/* Begins a bilevel TIFF file; no file has the name `path` before mezzotint_plate_finish(). A file of that
 * name that is no plate of mezzotint is refused (MEZZOTINT_USAGE) unless `replace_any` is 1. Folders
 * that are missing are made. After a failure in the middle of its work a plate takes no more rows. */
MEZZOTINT_API mezzotint_plate* mezzotint_plate_new(const char* path,
                                                   const mezzotint_plate_info* info,
                                                   mezzotint_error* error);
/* Takes the next `count` rows of dots, eight to a byte, `row_bytes` apart (0: without gaps). */
MEZZOTINT_API int mezzotint_plate_put(mezzotint_plate* plate,
                                      const void* rows,
                                      size_t row_bytes,
                                      uint32_t count,
                                      mezzotint_error* error);
/* Writes the plate to disk, reads it back, decodes and compares it, and gives it its name; replaces a
 * plate of that name. */
MEZZOTINT_API int mezzotint_plate_finish(mezzotint_plate* plate, mezzotint_error* error);
/* Unfinished plates leave no file. */
MEZZOTINT_API void mezzotint_plate_free(mezzotint_plate* plate);

/* ---- Measuring ---- */

/* The measures of `mezzotint compare`, by index. NULL from the count on. */
MEZZOTINT_API size_t mezzotint_measure_count(void);
MEZZOTINT_API const char* mezzotint_measure_name(size_t measure); /* "hvs_rms" */
MEZZOTINT_API const char* mezzotint_measure_unit(size_t measure); /* "of 255" */
MEZZOTINT_API const char* mezzotint_measure_summary(size_t measure);

/* Compares dots with their page, both on the host, and of the settings their paper and max_sample.
 * The eye sees `dpi` pixels an inch from `distance_inch` away; 0: 3500 / dpi, as that command. `values`
 * gets one number for each of the first `count` measures, NaN where it is not defined. */
MEZZOTINT_API int mezzotint_compare(const mezzotint_settings* settings,
                                    const mezzotint_image* page,
                                    const mezzotint_dots* dots,
                                    double dpi,
                                    double distance_inch,
                                    double* values,
                                    size_t count,
                                    mezzotint_error* error);

/* ---- Jobs ---- */

/* A manifest, as `mezzotint run` runs it. */
typedef struct mezzotint_job mezzotint_job;

typedef struct mezzotint_progress {
  uint64_t sheets;
  uint64_t sheets_done;   /* once each; those of earlier runs that are not made again as well */
  uint64_t sheets_failed; /* without those that were cancelled */
  uint64_t pixels;        /* of all planes of all sheets */
  uint64_t pixels_done;
  uint64_t reserved[4];
} mezzotint_progress;

/* Called from several threads, one at a time; must be quick. Returns 0 to go on, else the job is
 * cancelled. */
typedef int (*mezzotint_on_progress)(const mezzotint_progress* progress, void* context);

/* Reads and checks a manifest; the message of an error has all mistakes, with line and column. */
MEZZOTINT_API mezzotint_job* mezzotint_job_open(const char* manifest, mezzotint_error* error);
MEZZOTINT_API void mezzotint_job_free(mezzotint_job* job);

/* As the options of `mezzotint run`: threads, memory ("2GiB"), device-memory, verify, plates (a
 * folder), journal (a file), fresh and force (true or false). */
MEZZOTINT_API int mezzotint_job_set(mezzotint_job* job,
                                    const char* name,
                                    const char* value,
                                    mezzotint_error* error);
/* What a run would do: lines of JSON, those of `mezzotint check --json`. NULL on failure. */
MEZZOTINT_API char* mezzotint_job_plan(mezzotint_job* job, mezzotint_error* error);
/* Makes the plates that are not made yet. `on_progress` may be NULL, `result` too: it gets lines of
 * JSON, a sheet each and the job, those of `mezzotint run --json`, also when some sheets failed
 * (MEZZOTINT_SOME_FAILED or the status of all of them, as the program ends with). */
MEZZOTINT_API int mezzotint_job_run(mezzotint_job* job,
                                    mezzotint_on_progress on_progress,
                                    void* context,
                                    char** result,
                                    mezzotint_error* error);
/* Ends the run that is in progress soon, or else the next one as it begins; the one after it makes
 * the rest. For any thread, and for signal handlers. */
MEZZOTINT_API void mezzotint_job_cancel(mezzotint_job* job);

#ifdef __cplusplus
}
#endif

#endif
