/**
 * Phrases with which models omit code, such as "rest of the code unchanged". Written to a file, the line would replace
 * the code.
 */
const NOUN =
  '(?:code|codes|methods?|functions?|implementations?|contents?|file|class(?:es)?|logic|imports?|lines?|fields?|' +
  'properties|props|tests?|cases|parts?|sections?|body|definitions?|styles?|rules|markup|html|css|config|configuration|' +
  'items|entries|elements|components?|variables|declarations|members|handlers|routes|script|module|document|text|data|' +
  'types|interfaces|exports?|statements|steps|options|settings|dependencies|keys|values|rows|columns|queries|fixtures)';
const OLD = '(?:existing|remaining|previous|original|unchanged|current|other|same|old|unmodified)';
const ARTICLE = '(?:(?:the|your|this|our|my|all|all the|all of the|any) )?';
const STAYS =
  '(?:(?:that |which )?(?:remains?|stays?|is|are|continues?|goes|kept|left|was|were)?(?: here)? ?(?:the same(?: as before)?|' +
  'unchanged|unmodified|untouched|as is|as-is|as before|as above|omitted|elided|truncated|here|above|below|as it was)' +
  '(?: for (?:brevity|clarity))?(?: here)?)';

const PHRASES: readonly string[] = [
  `${ARTICLE}(?:rest|remainder) of(?: ${ARTICLE}(?:${OLD} )?(?:\\w+ )?${NOUN}| it)?(?: ${STAYS})?`,
  `${ARTICLE}rest ${STAYS}`,
  `${ARTICLE}${OLD} (?:\\w+ )?${NOUN}(?: ${STAYS}| continues| goes here)?`,
  `(?:everything|all) else(?: ${STAYS})?`,
  `(?:keep|leave|retain|preserve|insert|include|copy) ${ARTICLE}(?:rest|remainder|${OLD}|everything else)\\b[\\w ,'-]{0,60}`,
  `(?:keep|leave|kept|left) (?:it |this |them )?(?:as is|as-is|unchanged|untouched|the same)`,
  `(?:unchanged|no changes?(?: here| needed)?|same as (?:before|above)|as before|snip|snipped|omitted(?: for brevity)?)`,
  `${ARTICLE}(?:\\w+ )?${NOUN} (?:remains? |stays? |is |are )?(?:unchanged|omitted|elided|truncated|the same|as before)(?: for brevity)?`,
];
const PHRASE = new RegExp(`^(?:${PHRASES.join('|')})$`);

/** Phrases that are unambiguous in a comment, even without dots. */
const CLEAR = new RegExp(
  `^(?:${ARTICLE}(?:rest|remainder) of ${ARTICLE}(?:${OLD} )?(?:\\w+ )?${NOUN} ${STAYS}` +
    `|${ARTICLE}${OLD} ${NOUN} (?:here|goes here|(?:remains|stays) (?:here|unchanged|the same))` +
    `|.*\\bomitted for brevity|keep ${ARTICLE}existing ${NOUN}(?: here| as is| unchanged)?)$`,
);

const DOTS = /\.{3,}|…/;
const DOTS_AT_ENDS = /^(?:\.{3,}|…)\s*|\s*(?:\.{3,}|…)(?=[\])]*$)/g;
/** A quick test that rules out most lines. */
const WORTH_A_LOOK = /\.{3}|…|\b(?:rest|remainder|existing|remaining|previous|original|unchanged|omitted)\b/i;
const LEADER = /^(?:\{\/\*+|\/\*+|<!--|\/{2,}|#+|--+|;+|%+|"{3}|'{3}|\(\*|\{-|\*|'|"|!|rem\b)\s*/i;
const TRAILER = /\s*(?:\*+\/\}?|-->|"{3}|'{3}|\*\)|-\})\s*$/;
/** Where a comment may begin after code. */
const INLINE = /\/\/|\/\*|<!--|\{\/\*|(?<=\s)(?:#|--|;|%)(?=\s)/g;

/** The trimmed lines that replace code the model omitted. */
export function omissionPlaceholders(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line.length <= MAX_PLACEHOLDER_CHARS && isPlaceholder(line));
}

/** Placeholders are short. The limit also keeps the patterns away from long lines of data. */
const MAX_PLACEHOLDER_CHARS = 200;

function isPlaceholder(line: string): boolean {
  if (!WORTH_A_LOOK.test(line)) return false;
  if (saysOmitted(line, false)) return true;
  return [...line.matchAll(INLINE)].some(({ index }) => saysOmitted(untilCommentEnds(line.slice(index)), true));
}

/** Code may follow a block comment. */
function untilCommentEnds(comment: string): string {
  const end = /^\{?\/\*/.test(comment) ? comment.indexOf('*/') : comment.indexOf('-->');
  return end === -1 ? comment : comment.slice(0, end);
}

function saysOmitted(line: string, isInline: boolean): boolean {
  const inner = line.replace(LEADER, '').replace(TRAILER, '');
  const isComment = inner !== line || isInline;
  const text = withoutBrackets(inner).toLowerCase();
  if (!isComment && isSpread(text)) return false;
  const phrase = withoutBrackets(text.replace(DOTS_AT_ENDS, '')).replace(DOTS_AT_ENDS, '').trim();
  const hasDots = phrase.length < text.trim().length && DOTS.test(text);
  const words = phrase.replace(/[.:!,]+$/, '').replaceAll(/\s+/g, ' ');
  return hasDots ? PHRASE.test(words) || CLEAR.test(words) : isComment && CLEAR.test(words);
}

/** `...rest` and `...existing,` are spread syntax, not an omission. */
function isSpread(text: string): boolean {
  return /^\.{3}[\w$([{]/.test(text) && !/\.{3}$|…$/.test(text.replace(/[,;)\]}]+$/, ''));
}

function withoutBrackets(text: string): string {
  const match = /^\s*[([{<](.*)[)\]}>]\s*$/.exec(text);
  return match?.[1] === undefined ? text.trim() : match[1].trim();
}

export function placeholderMessage(lines: readonly string[], parameter: string): string {
  const [first = ''] = lines;
  return (
    `"${first}" in ${parameter} replaces text that was left out. It would be written as it is, and the text would be lost. ` +
    'Give the complete text. To change only a part of the file, use replace with just the lines that change.'
  );
}
