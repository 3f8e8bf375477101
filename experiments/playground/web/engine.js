"use strict";

// The worker that holds the simulator. It is told {module}, the compressed bytes of the WebAssembly module, then {text},
// a configuration, as often as the page likes; it answers {catalogue}, {result, page} or {failed}.

// What the module's C library asks of a system (WASI, preview 1): a clock and text that it prints; there are no files.
function system(memoryOf) {
  const success = 0;
  const badDescriptor = 8;
  const invalid = 28;
  const view = () => new DataView(memoryOf().buffer);
  let printed = "";
  const calls = {
    clock_time_get: (id, precision, result) => {
      view().setBigUint64(result, BigInt(Math.round(performance.now() * 1e6)), true);
      return success;
    },
    environ_sizes_get: (count, size) => {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return success;
    },
    environ_get: () => success,
    fd_write: (descriptor, parts, count, result) => {
      let size = 0;
      for (let i = 0; i < count; ++i) {
        const at = view().getUint32(parts + 8 * i, true);
        const length = view().getUint32(parts + 8 * i + 4, true);
        printed += new TextDecoder().decode(new Uint8Array(memoryOf().buffer, at, length));
        size += length;
      }
      view().setUint32(result, size, true);
      return success;
    },
    proc_exit: (code) => {
      throw new Error(`the simulator ended with exit code ${code}: ${printed}`);
    },
  };
  return new Proxy(calls, {
    get: (known, name) => known[name] ?? (name.startsWith("fd_") ? () => badDescriptor : () => invalid),
  });
}

let exports = null;

function text(which) {
  const [at, size] = [exports[`playground_${which}`](), exports[`playground_${which}_size`]()];
  return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, size));
}

async function load(compressed) {
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  const functions = system(() => exports.memory);
  const imports = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, functions[name]]));
  exports = (await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports })).exports;
  exports._initialize();
  exports.playground_catalogue();
  return { catalogue: JSON.parse(text("json")) };
}

function run(configuration) {
  const bytes = new TextEncoder().encode(configuration);
  const at = exports.playground_input(bytes.length);
  new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  exports.playground_run();
  return { result: JSON.parse(text("json")), page: text("page") };
}

async function answer(data) {
  try {
    postMessage(data.module ? await load(data.module) : run(data.text));
  } catch (error) {
    postMessage({ failed: String(error && error.message || error) });
  }
}

let last = Promise.resolve(); // one after the other: the module comes before what it is to run

onmessage = ({ data }) => {
  last = last.then(() => answer(data));
};
