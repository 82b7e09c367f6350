#!/bin/bash -eu
# Untested. OSS-Fuzz calls this in its container, with the flags of its sanitizer in CXXFLAGS.
#
# The libraries of the system are built with libstdc++, and the flags of OSS-Fuzz ask for libc++.
export CXXFLAGS="${CXXFLAGS//-stdlib=libc++/}"

# "fuzzer" chooses lib_fuzzer.cpp; the sanitizer and the engine come from the flags.
cmake -B "$WORK/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DMEZZOTINT_CUDA=OFF \
  -DMEZZOTINT_SANITIZE=fuzzer-no-link -DMEZZOTINT_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$WORK/build" --target fuzzers

mkdir -p "$OUT/lib"
for program in "$WORK"/build/bin/*_fuzz; do
  name=$(basename "$program")
  cp "$program" "$OUT/"
  ldd "$program" | awk '$3 ~ /^\/(usr\/)?lib/ { print $3 }' |
    grep -Ev '/(libc|libm|libpthread|libdl|librt|ld-linux.*)\.so' | xargs -r cp -t "$OUT/lib"
  patchelf --set-rpath "\$ORIGIN/lib" "$OUT/$name"
  seeds=$(mktemp -d)
  "$program" "--seeds=$seeds"
  if [[ -d tests/fuzz/corpus/${name%_fuzz} ]]; then cp tests/fuzz/corpus/"${name%_fuzz}"/* "$seeds/"; fi
  zip -jq "$OUT/${name}_seed_corpus.zip" "$seeds"/*
done
