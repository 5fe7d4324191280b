// What upstream.py asks of a URL class of JavaScript: each case is [what, ...arguments], its answer a text.
// After these lines come those that read the cases and print the answers, of a page or of a program.
function answer(URL, URLPattern, [what, ...args]) {
  try {
    if (what === "parse") return new URL(args[0], args[1] ?? undefined).href;
    if (what === "origin") return new URL(args[0]).origin;
    if (what === "pathname") return new URL(args[0]).pathname;
    if (what === "set") {
      const url = new URL(args[0]);
      url[args[1]] = args[2];
      return `${url.href} parses to ${new URL(url.href).href}`;
    }
    if (URLPattern === undefined) return "no URLPattern";
    if (what === "test") return String(new URLPattern(args[0], args[2]).test(args[1]));
    const pattern = new URLPattern(args[0]);
    return `"${pattern.port}" ${pattern.test(args[1]) ? "matches" : "does not match"}`;
  } catch {
    return "failure";
  }
}
