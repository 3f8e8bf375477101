#!/usr/bin/env bash
# same_results.sh PROGRAM PROGRAM...: runs every configuration of configs/ with each program and compares all that they
# write, byte for byte. Exit code 0: the same; 1: not, with the names of the files that differ.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What a command prints and its exit code, into FILE; names of files and folders are the same for all programs.
record() { # FILE COMMAND...
  local file=$1 code=0
  "${@:2}" >"$file" 2>"$file.talk" || code=$?
  printf 'exit code %d\n' "$code" >>"$file"
}

run_all() { # PROGRAM
  local program=$1 config name
  for config in configs/*.toml; do
    name=results/$(basename "$config" .toml)
    mkdir -p "$name"
    if grep -q '^\[traffic\]' "$config"; then
      record "$name/load.txt" "$program" load "$config" --out "$name/load" --json "$name/load.json" \
        --set load.points=0.05 --set load.saturation=false --set traffic.measure=2000 --set traffic.warm_up=500
      rm -f "$name"/load/results.sqlite* # holds wall times
      continue
    fi
    record "$name/check.txt" "$program" check "$config"
    record "$name/topology.txt" "$program" topology "$config" --check-deadlock
    record "$name/schedule.json" "$program" schedule "$config"
    if grep -q '^\[sweep\]' "$config"; then
      record "$name/sweep.txt" "$program" sweep "$config" --out "$name/sweep"
      rm -f "$name"/sweep/results.sqlite* # holds wall times
    else
      record "$name/run.txt" "$program" run "$config" --explain --json "$name/run.json" --trace "$name/trace.jsonl" \
        --deliveries "$name/deliveries.json"
      record "$name/contention.txt" "$program" contention "$name/trace.jsonl"
      record "$name/view.txt" "$program" view "$config" --out "$name/view.html"
    fi
  done
  record results/compare.txt "$program" compare configs/compare_mesh.toml --json results/compare.json
  record results/tcd.txt "$program" tcd configs/tcd_cube.toml
}

count=0
for program in "$@"; do
  program=$(realpath "$program")
  printf 'same: %s\n' "$("$program" --version | tr '\n' ' ')" >&2
  mkdir -p "$work/$count"
  ln -s "$PWD/configs" "$work/$count/configs"
  (cd "$work/$count" && run_all "$program")
  rm "$work/$count/configs"
  if [ "$count" -gt 0 ]; then
    diff -rq "$work/0" "$work/$count" || exit 1
  fi
  count=$((count + 1))
done
printf 'same: %d files of %d programs are the same byte for byte\n' "$(find "$work/0" -type f | wc -l)" "$count"
