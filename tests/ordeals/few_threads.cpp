// Preloaded into a program, lets it start as many threads as MOST_THREADS says and fails each further
// pthread_create() with EAGAIN, as a limit of processes does.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

extern "C" int pthread_create(pthread_t* thread,
                              const pthread_attr_t* attributes,
                              void* (*body)(void*),
                              void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto next = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  static const char* const most = std::getenv("MOST_THREADS");
  static std::atomic<long> started{0};
  if (most != nullptr && ++started > std::strtol(most, nullptr, 10)) return EAGAIN;
  return next(thread, attributes, body, argument);
}
