#include "manifests/job.h"
