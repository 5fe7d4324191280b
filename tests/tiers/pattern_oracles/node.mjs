// Node's URLPattern as an oracle: observe.py in JavaScript.
import { createInterface } from "node:readline";

const COMPONENTS = ["protocol", "username", "password", "hostname", "port", "pathname", "search", "hash"];

const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
const groups = (object) => sorted(Object.fromEntries(Object.entries(object).map(([k, v]) => [k, v ?? null])));

function seen(tested, match) {
  if (tested !== (match !== null)) return `test is ${tested} but exec is ${match && "a match"}`;
  if (match === null) return false;
  const inputs = match.inputs.map((one) => (typeof one === "string" ? one : sorted(one)));
  return [inputs, COMPONENTS.map((name) => [match[name].input, groups(match[name].groups)])];
}

function observed([constructed, inputs]) {
  let pattern;
  try {
    pattern = new URLPattern(...constructed);
  } catch {
    return null;
  }
  const matches = inputs.map((given) => {
    try {
      return seen(pattern.test(...given), pattern.exec(...given));
    } catch {
      return "error";
    }
  });
  return [COMPONENTS.map((name) => pattern[name]), pattern.hasRegExpGroups, matches];
}

console.log(`Node ${process.version}`);
createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify(observed(JSON.parse(line))) + "\n");
});
