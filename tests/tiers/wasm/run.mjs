// Runs pytest, or the code after -c, in Pyodide: node run.mjs WHEEL PACKAGES REPOSITORY DATA ARGUMENTS
import { pathToFileURL } from "node:url";

const [pyodide, wheel, packages, repository, data, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(pyodide));
const python = await loadPyodide({ env: { HOME: "/tmp", WEBURL_DATA: "/data", COLUMNS: "200" } });
for (const [at, root] of [["/packages", packages], ["/repository", repository], ["/data", data]]) {
  python.FS.mkdirTree(at);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, at);
}
await python.loadPackage(wheel, { messageCallback() {} });
globalThis.words = rest;
process.exit(python.runPython(`
import os, sys
from js import words
sys.path += ["/packages", "/repository/tests/tiers/wasm"]
# Pyodide would compile each file anew in each process.
sys.dont_write_bytecode, sys.pycache_prefix = False, "/repository/build/wasm/cache"
os.chdir("/repository")
words = list(words)
if words[0] == "-c":
    exec(words[1], {"__name__": "__main__"})
    status = 0
else:
    import pytest
    status = int(pytest.main(words))
status
`));
