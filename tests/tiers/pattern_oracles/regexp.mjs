// Runs a regular expression for literal.py: reads [source, flags, [inputs]], writes null if it does not compile, else
// the captures of each input.
import { createInterface } from "node:readline";

function run([source, flags, inputs]) {
  let expression;
  try {
    expression = new RegExp(source, flags);
  } catch {
    return null;
  }
  return inputs.map((input) => expression.exec(input)?.map((one) => one ?? null) ?? null);
}

console.log(`RegExp of Node ${process.version}`);
createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify(run(JSON.parse(line))) + "\n");
});
