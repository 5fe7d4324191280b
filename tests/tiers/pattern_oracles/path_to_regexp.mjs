// What the paths of Express 5 match: the package path-to-regexp, with what Express does before it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const folder = process.argv[2];
const { pathToRegexp } = createRequire(import.meta.url)(folder);

// https://url.spec.whatwg.org/#path-percent-encode-set, and the backslash.
const ENCODED = /[^!$-;=@-[\]_a-z|~]/gu;
const percent = (character) =>
  [...Buffer.from(character.toWellFormed())].map((b) => `%${b.toString(16).toUpperCase().padStart(2, "0")}`).join("");
const encodePath = (text) => text.replace(ENCODED, percent);

// The names in the order of the path, each with what it takes; null if the path does not match.
function groups({ regexp, keys }, url) {
  const match = regexp.exec(new URL(`https://example.com${url}`).pathname);
  if (match === null) return null;
  const found = new Map(keys.map((key) => [key, null]));
  keys.forEach((key, index) => found.set(key, match[index + 1] ?? found.get(key)));
  return [...found].map(([key, value]) => [key.name, value]);
}

function observed([path, strict, sensitive, urls]) {
  const given = strict || path === "/" ? path : path.replace(/\/+$/, "");
  let compiled;
  try {
    compiled = pathToRegexp(given, { trailing: !strict, sensitive, encodePath });
  } catch {
    return null;
  }
  return urls.map((url) => groups(compiled, url));
}

console.log(`path-to-regexp ${JSON.parse(readFileSync(`${folder}/package.json`)).version}`);
createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify(observed(JSON.parse(line))) + "\n");
});
