// What the URL class of Bun or Node takes for the lines of a file: for each work on stdin, JSON with the nanoseconds of
// the process, and the sum of what was found.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const WARMING = 300_000_000; // nanoseconds
const lines = readFileSync(process.argv[2], "utf8").split("\n").slice(0, -1);

// Each has a loop of its own, which the compiler knows one function in; what is found is added up, so that it is made.
const WORKS = {
  "new URL(s)": () => {
    let sum = 0;
    for (const line of lines) {
      sum += new URL(line) !== null;
    }
    return sum;
  },
  "URL.parse(s)": () => {
    let sum = 0;
    for (const line of lines) {
      sum += URL.parse(line) !== null;
    }
    return sum;
  },
  "URL.canParse(s)": () => {
    let sum = 0;
    for (const line of lines) {
      sum += URL.canParse(line);
    }
    return sum;
  },
  "URL.parse(s).href": () => {
    let sum = 0;
    for (const line of lines) {
      sum += URL.parse(line).href.length;
    }
    return sum;
  },
  "hostname, pathname, search": () => {
    let sum = 0;
    for (const line of lines) {
      const url = URL.parse(line);
      sum += url.hostname.length + url.pathname.length + url.search.length;
    }
    return sum;
  },
};

// Linux brings a thread's own time up to date only for process.cpuUsage(): process.threadCpuUsage() lags by up to 4 ms.
const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
};

const warm = new Set();
for await (const work of createInterface({ input: process.stdin })) {
  if (!warm.has(work)) {
    warm.add(work);
    const end = now() + WARMING;
    while (now() < end) {
      WORKS[work]();
    }
  }
  const start = now();
  const sum = WORKS[work]();
  console.log(JSON.stringify([now() - start, sum]));
}
