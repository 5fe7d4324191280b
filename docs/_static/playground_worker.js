// Python of the playground, beside the page: a page stays responsive, and can end it at any time.
let answer;

async function start({ wheel, needed }) {
  const folder = new URL("pyodide/", import.meta.url);
  const get = async (name) => {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name} did not load: ${response.status} ${response.statusText}`);
    return response;
  };
  const { loadPyodide } = await import(new URL("pyodide.mjs", folder));
  const python = await loadPyodide({ indexURL: folder.href });
  postMessage({ loaded: python.version });
  python.unpackArchive(await (await get(new URL(wheel, folder))).arrayBuffer(), "wheel");
  python.unpackArchive(await (await get(new URL(needed, folder))).arrayBuffer(), "zip");
  python.runPython(await (await get(new URL("playground.py", import.meta.url))).text());
  answer = python.globals.get("answer_json");
  postMessage({ ready: python.version });
}

onmessage = async ({ data }) => {
  try {
    if (data.start) return await start(data.start);
    postMessage({ answer: JSON.parse(answer(data.tool, JSON.stringify(data.typed))) });
  } catch (error) {
    // The last line of what Python says is the exception.
    postMessage({ error: String(error.message ?? error).trim().split("\n").at(-1) });
  }
};
