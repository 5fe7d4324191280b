// What observe.py asks, of a URL class of JavaScript.
const FIELDS = [
  "href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash",
];
const PARAMS_METHODS = new Set(["append", "delete", "set", "sort"]);

export function line(URL, [text, base, steps]) {
  const parse = (...args) => {
    try {
      return new URL(...args);
    } catch {
      return null;
    }
  };
  const show = (url) => url && [...FIELDS.map((name) => url[name]), ...[...url.searchParams].flat()];
  const baseURL = base === null ? null : parse(base);
  let url = base === null ? parse(text) : parse(text, base);
  const found = [show(baseURL), show(url)];
  url ??= baseURL;
  for (const [name, ...args] of steps) {
    if (url === null) {
      found.push(null);
    } else if (PARAMS_METHODS.has(name)) {
      url.searchParams[name](...args);
      found.push(show(url));
    } else {
      try {
        url[name] = args[0];
        found.push(show(url));
      } catch {
        found.push(null);
      }
    }
  }
  return JSON.stringify(found);
}
