#include "stages/tiff_writer.h"
