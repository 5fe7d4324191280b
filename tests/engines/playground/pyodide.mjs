// A stand-in for Pyodide, for tests. It has the names of Pyodide that the page uses. The answers are those of the page's
// own Python code in CPython: the server of the test runs it. A text with "never ends" is never answered.
export async function loadPyodide({ indexURL }) {
  if (!indexURL.endsWith("/_static/pyodide/")) throw new Error(`indexURL is ${indexURL}`);
  const unpacked = [];
  let code = "";
  return {
    version: "stand-in",
    unpackArchive(buffer, format) {
      if (!(buffer instanceof ArrayBuffer)) throw new Error("unpackArchive takes an ArrayBuffer");
      unpacked.push(format);
    },
    runPython(text) {
      if (unpacked.join() !== "wheel,zip") throw new Error("ModuleNotFoundError: No module named 'weburl'");
      code = text;
    },
    globals: {
      get(name) {
        if (!code.includes(`def ${name}(tool: str, typed: str) -> str:`)) throw new Error(`there is no ${name}`);
        return (tool, typed) => {
          if (typed.includes("never ends")) for (;;);
          const request = new XMLHttpRequest();
          request.open("POST", "/stand-in", false);
          request.send(JSON.stringify([tool, typed]));
          if (request.status !== 200) throw new Error(request.responseText);
          return request.responseText;
        };
      },
    },
  };
}
