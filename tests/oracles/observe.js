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
  const show = () => [...FIELDS.map((name) => url[name]), ...[...url.searchParams].flat()];
  const step = ([name, ...args]) => {
    if (url === null) {
      return null;
    }
    if (PARAMS_METHODS.has(name)) {
      url.searchParams[name](...args);
      return show();
    }
    try {
      url[name] = args[0];
    } catch {
      return null;
    }
    return show();
  };

  let url = base === null ? parse(text) : parse(text, base);
  const found = [url && show()];
  if (url === null && base !== null) {
    url = parse(base);
  }
  return JSON.stringify([...found, ...steps.map(step)]);
}
