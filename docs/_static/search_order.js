// The order of what the search finds: first the page for what is asked, then pages about a task, and pages that have the
// word in their name; last the reference, and pages that few people look for.
const ORDER = [
  [/^(howto|cookbook)\//, 6],
  [/^(reference|from|upstream)\//, -20],
  [/^(changelog|decisions|reliability|conformance|design|build|platforms|libraries)$/, -12],
];
// The page that answers such a question. Without it, each page with "log" in its name would come first.
const ANSWERS = [
  [/playground|\btry (it|weburl|online)\b|live demo/, "playground"],
  [/why.*(hidden|redact)|(hidden|redact).*why|explain.*redact/, "redact-command"],
  [/why|where.*(go|lead)|wrong host/, "explain"],
  [/redact|secret|mask|censor|password|jwt|bearer|authorization|token.*log|log.*token/, "howto/secrets"],
  [/\b5xx\b|errors? (per|by|(for|of) each) route/, "access-logs"],
  [/nginx|apache|hour|time ?(range|zone|stamp)/, "access-logs"],
  [/parquet/, "command-tables"],
  [/percentile|quantile|\bp\d\d\b/, "command-stats"],
  [/crawler.*allow|allow.*crawler|\bmay\b.*(crawl|fetch)|robots/, "robots"],
  [/(renam|updat).*route|route.*(renam|updat|report|column|pandas)|(report|appl).*route/, "learn"],
  [/charset/, "links"],
  [/undeclared|(windows-|cp)125|page.*encoding|encoding.*page/, "cookbook/crawling"],
  [/byte for byte|without changing|(remov|add|edit).*(utm|param)|keep.*bytes|preserv.*(query|bytes)/, "cookbook/query-parameters"],
  [/(dedup|duplicate).*polars|polars.*(dedup|duplicate)/, "cookbook/data-frames"],
  [/dedup|duplicate/, "cookbook/comparing"],
  [/ssrf|private address|block.*private/, "howto/fetching"],
  [/login.*next|next.*(login|param)|open redirect/, "howto/redirects"],
  [/utm|tracking|gclid|fbclid/, "tracking"],
  [/learn|template.*route|route.*template/, "learn"],
  [/user.?agent|crawl.?delay|product.?token/, "robots"],
];
// The index has no numbers. A word of the index for each number that people search for, and for other spellings.
const WORDS = { 3986: "standard", 6265: "cookie", 8288: "header", 9309: "robots", nextjs: "express", querystring: "query",
  urlparse: "urlsplit", mask: "hide", anonymize: "hide", sanitize: "redact", censor: "redact", preserve: "keep",
  p95: "percentile" };
const WORDS_OF_KINDS = [[/^(cp)?125\d$/, "encoding"], [/^(127|169|10|192)$/, "internal"]];
var splitQuery = (query) => {
  const words = query
    .replace(/\bnext\.js\b/gi, "nextjs")
    .replace(/\bwindows-(?=125\d)/gi, "")
    .split(/[^\p{Letter}\p{Number}_\p{Emoji_Presentation}]+/gu)
    // No page has to have "per", as in "errors per route".
    .filter((word) => word && word.toLowerCase() !== "per")
    .map((word) => WORDS[word.toLowerCase()] ?? WORDS_OF_KINDS.find(([form]) => form.test(word.toLowerCase()))?.[1] ?? word);
  // Other numbers are not looked for beside words, as in "64-bit key".
  const found = words.filter((word) => !/^\d+$/.test(word));
  return found.length ? found : words;
};
var Scorer = {
  score: ([page, , , , score]) => {
    const asked = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase();
    const words = splitQuery(asked).filter((word) => word.length > 2);
    const named = words.some((word) => page.includes(word)) ? 10 : 0;
    const answers = ANSWERS.some(([question, answer]) => answer === page && question.test(asked)) ? 40 : 0;
    return ORDER.reduce((sum, [pages, more]) => sum + (pages.test(page) ? more : 0), score + named + answers);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
