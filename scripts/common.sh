# Shared by the scripts in this folder; read with `source`, not run.
# Names and places every script agrees on.

repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="$repository/build/release"

say() { printf '== %s\n' "$*" >&2; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Prints a Python that can import the modules named; Debian's own first, because that is where Debian's
# python3-* packages are visible (another Python may come first on PATH).
python_with() {
  local modules="$*" candidate
  for candidate in /usr/bin/python3 python3; do
    if command -v "$candidate" >/dev/null && "$candidate" -c "import ${modules// /, }" 2>/dev/null; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  fail "no Python that can import: $modules (scripts/setup installs it on Debian)"
}

# Configures once and builds the targets named (all when none is named) into build/release.
build_release() {
  if [[ ! -f "$build/build.ninja" ]]; then
    cmake -S "$repository" --preset release >&2
  fi
  cmake --build "$build" ${1:+--target "$@"} >&2
}
