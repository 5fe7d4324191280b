// The order of what the search finds: first pages about a task, and pages that have the word in their name; last the
// reference, and pages that few people look for.
const ORDER = [
  [/^(howto|cookbook)\//, 6],
  [/^(reference|from|upstream)\//, -20],
  [/^(changelog|decisions|reliability|conformance|design|build|platforms|libraries)$/, -12],
];
// The index has no numbers. A word of the index for each number that people search for, and for other spellings.
const WORDS = { 3986: "standard", 6265: "cookie", 8288: "header", 9309: "robots", nextjs: "express", querystring: "query",
  urlparse: "urlsplit", mask: "hide", anonymize: "hide", sanitize: "redact", censor: "redact" };
const WORDS_OF_KINDS = [[/^(cp)?125\d$/, "encoding"], [/^(127|169|10|192)$/, "internal"]];
var splitQuery = (query) =>
  query
    .replace(/\bnext\.js\b/gi, "nextjs")
    .split(/[^\p{Letter}\p{Number}_\p{Emoji_Presentation}]+/gu)
    .filter((word) => word)
    .map((word) => WORDS[word.toLowerCase()] ?? WORDS_OF_KINDS.find(([form]) => form.test(word.toLowerCase()))?.[1] ?? word);
var Scorer = {
  score: ([page, , , , score]) => {
    const asked = new URLSearchParams(location.search).get("q") ?? "";
    const words = splitQuery(asked).filter((word) => word.length > 2).map((word) => word.toLowerCase());
    const named = words.some((word) => page.includes(word)) ? 10 : 0;
    return ORDER.reduce((sum, [pages, more]) => sum + (pages.test(page) ? more : 0), score + named);
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
