// The serializations of a file's pairs of input and base, as JSON; null where the URL class refuses one.

import { readFileSync } from "node:fs";

const pairs = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify(pairs.map(([input, base]) => URL.parse(input, base ?? undefined)?.href ?? null)));
