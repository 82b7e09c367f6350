#include "stages/tiff_reader.h"
