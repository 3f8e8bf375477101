#!/usr/bin/env bash
# Makes the site of all Markdown pages by MkDocs: docs/site/make.sh OUT. Without a network, and without a page or link that
# MkDocs does not find.
set -euo pipefail
out=$(realpath -m "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# MkDocs takes its pages from one folder. Sources that pages link to are there, too, as files.
mkdir "$work/pages"
git ls-files --cached --others --exclude-standard README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff LICENSE Containerfile \
  docs examples configs tests/fuzz/README.md tests/experiments/tuning_files/*_names.c |
  while read -r file; do
    if [ -e "$file" ]; then
      mkdir -p "$work/pages/$(dirname "$file")"
      cp "$file" "$work/pages/$file"
    fi
  done
cp docs/site/mkdocs.yml docs/site/anchors.py "$work"
cd "$work"
PYTHONPATH=$work PYTHONDONTWRITEBYTECODE=1 mkdocs build --strict --quiet --clean --site-dir "$out"
