// Reads lines of [source, ignore case, subjects] and answers each with its error, or with where it matches each subject.
import { createInterface } from "node:readline";

const compiled = (source, flags) => {
  // By itself first: "a)(?:b" is an expression only between parentheses.
  new RegExp(source, flags);
  return [new RegExp(`^(?:${source})$`, flags), new RegExp(`^(?:${source})`, flags)];
};

for await (const line of createInterface({ input: process.stdin })) {
  const [source, ignoreCase, subjects] = JSON.parse(line);
  let answer;
  try {
    const [full, prefix] = compiled(source, ignoreCase ? "vi" : "v");
    answer = subjects.map((subject) => [full.test(subject), prefix.exec(subject)?.[0].length ?? null]);
  } catch (error) {
    answer = error.message;
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
