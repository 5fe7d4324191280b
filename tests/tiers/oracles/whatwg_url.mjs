// whatwg-url as an oracle: node whatwg_url.mjs FOLDER, which is the one that it was installed into.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { line } from "./observe.js";

const folder = process.argv[2];
const { URL } = createRequire(`${folder}/`)("whatwg-url");
const { version } = JSON.parse(readFileSync(`${folder}/node_modules/whatwg-url/package.json`, "utf-8"));
console.log(`whatwg-url ${version} on Node ${process.version}`);
createInterface({ input: process.stdin }).on("line", (batch) => {
  process.stdout.write(JSON.parse(batch).map((one) => line(URL, one) + "\n").join(""));
});
