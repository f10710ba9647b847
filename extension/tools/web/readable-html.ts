import type { HtmlToTextOptions } from 'html-to-text';

/**
 * The parser's time grows with the depth times the number of opening and closing tags: 200,000 nested elements took 28
 * s, a million closing tags in 20,000 open elements 180 s. A page can't be deeper than its number of tags, so with this
 * limit the worst case takes about a second. The result says if the page was cut. Most pages have a tenth of these
 * tags.
 */
const MAX_TAGS = 20_000;

/** 5 MB of text takes half a second. */
const MAX_HTML_CHARS = 5_000_000;

/** Deeper than any page for people. A limit is needed because the tree is visited recursively. */
const MAX_DEPTH = 200;

/** Longer link targets contain data rather than the address of a page. */
const MAX_LINK_CHARS = 500;

const DROPPED = ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'img', 'video', 'audio'];

/** The text of a page, with the absolute targets of its links. */
export async function htmlToReadable(
  html: string,
  base: URL,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const { compile } = await import('html-to-text');
  const bounded = withFewTags(html.slice(0, MAX_HTML_CHARS));
  const text = compile(optionsFor(base))(bounded);
  return { text: text.trim(), isCut: bounded.length < html.length };
}

function optionsFor(base: URL): HtmlToTextOptions {
  return {
    wordwrap: false,
    limits: { maxDepth: MAX_DEPTH, maxInputLength: MAX_HTML_CHARS },
    selectors: [
      ...DROPPED.map((selector) => ({ selector, format: 'skip' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
      {
        selector: 'a',
        options: {
          hideLinkHrefIfSameAsText: true,
          noAnchorUrl: true,
          linkBrackets: ['[', ']'],
          pathRewrite: (path: string) => linkTarget(path, base),
        },
      },
    ],
  };
}

/** Empty if the target is not a web page; then only the link's text is kept. */
function linkTarget(path: string, base: URL): string {
  if (path.startsWith('#')) return path;
  const target = path.length <= MAX_LINK_CHARS && URL.canParse(path, base.href) ? new URL(path, base.href) : undefined;
  return target && /^https?:$/.test(target.protocol) ? target.href : '';
}

function withFewTags(html: string): string {
  let tags = 0;
  for (const { index } of html.matchAll(/<[a-z/]/gi)) {
    if (++tags > MAX_TAGS) return html.slice(0, index);
  }
  return html;
}
