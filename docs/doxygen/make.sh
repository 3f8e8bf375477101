#!/usr/bin/env bash
# Makes the pages of the installed headers in FOLDER/html; fails where Doxygen finds errors, or a type or a function
# without a comment.
set -euo pipefail
folder=$(realpath -m "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mkdir -p "$folder"
{
  cat docs/doxygen/Doxyfile
  printf '%s\n' "OUTPUT_DIRECTORY = \"$folder\"" "WARN_LOGFILE = \"$folder/warnings\""
} | doxygen - >/dev/null 2>&1 || {
  cat "$folder/warnings" >&2
  exit 1
}
python3 docs/doxygen/undocumented.py "$folder/warnings"
