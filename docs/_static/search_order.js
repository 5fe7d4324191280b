// The order of what the search finds: first pages about a task, and pages that have the word in their name; last the
// reference, and pages that few people look for.
const ORDER = [
  [/^(howto|cookbook)\//, 6],
  [/^(reference|from|upstream)\//, -20],
  [/^(changelog|decisions|reliability|conformance|design|build|platforms|libraries)$/, -12],
];
var Scorer = {
  score: ([page, , , , score]) => {
    const text = new URLSearchParams(location.search).get("q") ?? "";
    const words = text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? [];
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
