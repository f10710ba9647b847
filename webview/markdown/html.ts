import { Marked, Parser, Renderer, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../base/escape-html.ts';
import { classifyLink } from './links.ts';
import type { FootnoteToken, MathsToken } from './own-tokens.ts';

/**
 * The elements that an answer may put on the page: those that Markdown itself creates, without attributes that load,
 * style or submit. Images have already become links.
 */
export const ALLOWED_TAGS: readonly string[] = [
  ...['p', 'br', 'hr', 'blockquote', 'h3', 'h4', 'h5', 'h6'],
  ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ...['a', 'strong', 'em', 'del', 'sup', 'code', 'pre'],
];

/** Attributes that contain a URL, checked against ALLOWED_HREF. */
export const ADDRESS_ATTRIBUTES: readonly string[] = ['href'];

/** Attributes that contain plain text or numbers. */
export const PLAIN_ATTRIBUTES: readonly string[] = [
  'title',
  'rel',
  'start',
  'align',
  'data-path',
  'data-line',
  'data-lang',
  'data-maths',
  'data-task',
  'data-note',
];

/** `#` is a file link: its path is in data-path, and a click on it becomes a message. */
export const ALLOWED_HREF = /^(?:https?:|mailto:|#$)/i;

/**
 * Converts Markdown tokens to HTML. Raw HTML in the source becomes visible text, images become links, and a heading's
 * depth is its level on the page (heading-levels.ts). The result is still sanitised afterwards.
 */
class AnswerRenderer extends Renderer {
  override code({ text, lang }: Tokens.Code): string {
    return `<pre data-lang="${escapeHtml(lang ?? '')}"><code>${escapeHtml(text)}</code></pre>`;
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    // Models write <br> in table cells, where Markdown has no other way to break a line.
    if (/^<br\s*\/?>$/i.test(text.trim())) return '<br>';
    const block = text.endsWith('\n');
    return block ? `<p>${escapeHtml(text.trim())}</p>` : escapeHtml(text);
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    const level = Math.max(depth, 3);
    return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
  }

  override listitem(item: Tokens.ListItem): string {
    return `<li${item.task ? ' data-task=""' : ''}>${this.parser.parse(item.tokens)}</li>`;
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? '☑ ' : '☐ ';
  }

  override link({ href, tokens, raw }: Tokens.Link): string {
    // An image would become a link within a link, so only its text is used.
    const label = raw.includes('![')
      ? escapeHtml(this.parser.parseInline(tokens, this.parser.textRenderer))
      : this.parser.parseInline(tokens);
    return linkTo(href, label.trim() === '' ? escapeHtml(href) : label);
  }

  override image({ href, text }: Tokens.Image): string {
    return linkTo(href, escapeHtml(text === '' ? href : `${text} (${href})`));
  }
}

const OPTIONS = new Marked({
  extensions: [
    { name: 'maths', renderer: (token) => mathsHtml(token as MathsToken) },
    {
      name: 'footnote',
      renderer({ id, tokens }) {
        const sign = `<sup>${escapeHtml((id as FootnoteToken['id']) ?? '')}</sup>`;
        return tokens ? `<p data-note="">${sign} ${this.parser.parseInline(tokens)}</p>` : sign;
      },
    },
  ],
}).defaults;

const parser = new Parser({ ...OPTIONS, renderer: new AnswerRenderer() });

/** The source of a formula, which is drawn once it is on the page. */
function mathsHtml({ text, isBlock }: MathsToken): string {
  const code = `<code data-maths="${isBlock ? 'block' : 'inline'}">${escapeHtml(text)}</code>`;
  return isBlock ? `<p>${code}</p>` : code;
}

/** Content that is nested too deeply is shown as its source. */
export function tokensToHtml(tokens: readonly Token[]): string {
  try {
    return parser.parse([...tokens]);
  } catch {
    return `<p>${escapeHtml(tokens.map(({ raw }) => raw).join(''))}</p>`;
  }
}

function linkTo(href: string, label: string): string {
  const target = classifyLink(href);
  switch (target.kind) {
    case 'web': {
      const url = escapeHtml(target.url);
      return `<a href="${url}" title="${url}" rel="noopener noreferrer nofollow">${label}</a>`;
    }
    case 'file': {
      const line = target.line === undefined ? '' : ` data-line="${target.line}"`;
      const path = escapeHtml(target.path);
      return `<a href="#" title="${path}" data-path="${path}"${line} rel="noopener noreferrer nofollow">${label}</a>`;
    }
    case 'inert':
      return label;
  }
}
