import * as l10n from '@vscode/l10n';
import { isObject } from '../../base/objects.ts';
import { parseJson } from '../json.ts';

const MAX_SECTIONS = 12;
const MAX_NAME_LENGTH = 80;
const SHOWN_LINES = 12;
const SHOWN_LINE_LENGTH = 160;

/** `read_file` puts a notice in brackets before incomplete text. */
const NOTICE = /^\[(?:This is only part|Lines longer)[^\]]*?(?:of (\d+)\.[^\]]*)?\]\n\n/;

/** Describes a file without a model: its length and its headings, or the name and the scripts of a package. */
export function outline(path: string, output: string): string {
  const { lines, total } = split(output);
  const length =
    total === 1 ? l10n.t('{0} has 1 line.', `\`${path}\``) : l10n.t('{0} has {1} lines.', `\`${path}\``, total);
  const rest = path.endsWith('package.json') ? outlinePackage(lines.join('\n')) : outlineMarkdown(lines);
  return [length, ...rest].join('\n\n');
}

/** The first lines as a code block. */
export function excerpt(path: string, output: string): string {
  const { lines, total } = split(output);
  const shown = lines.slice(0, SHOWN_LINES).map((line) => cut(line, SHOWN_LINE_LENGTH));
  const longestRun = Math.max(2, ...shown.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longestRun + 1);
  const language = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const heading =
    total > shown.length
      ? l10n.t('The first {0} of {1} lines of {2}:', shown.length, total, `\`${path}\``)
      : `\`${path}\`:`;
  return `${heading}\n\n${fence}${language}\n${shown.join('\n')}\n${fence}`;
}

function split(output: string): { readonly lines: readonly string[]; readonly total: number } {
  const notice = NOTICE.exec(output);
  const text = output.slice(notice?.[0].length ?? 0).replace(/\r?\n$/, '');
  const lines = text === '' ? [] : text.split(/\r?\n/);
  return { lines, total: notice?.[1] === undefined ? lines.length : Number(notice[1]) };
}

function outlinePackage(text: string): readonly string[] {
  const parsed = parseJson(text);
  if (!isObject(parsed)) return [];
  const { name, description, scripts } = parsed;
  return [
    ...(isText(name) ? [packageWords(quote(name), isText(description) ? quote(description) : undefined)] : []),
    ...list(l10n.t('Its scripts:'), isObject(scripts) ? Object.keys(scripts) : []),
  ];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function packageWords(name: string, description: string | undefined): string {
  return description
    ? l10n.t('It describes the package {0}: {1}.', name, description)
    : l10n.t('It describes the package {0}.', name);
}

function outlineMarkdown(lines: readonly string[]): readonly string[] {
  const [title, ...sections] = headings(lines);
  return title === undefined
    ? []
    : [l10n.t('Its first heading is {0}.', quote(title)), ...list(l10n.t('The headings below it:'), sections)];
}

/** Markdown headings outside of code blocks. */
function headings(lines: readonly string[]): readonly string[] {
  let inCode = false;
  return lines.flatMap((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode;
    const heading = inCode ? undefined : /^#{1,3}\s+(.*?)\s*#*$/.exec(line)?.[1];
    return heading ? [heading] : [];
  });
}

function list(title: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length > MAX_SECTIONS ? [`- ${l10n.t('and {0} more', names.length - MAX_SECTIONS)}`] : [];
  return [`${title}\n\n${[...names.slice(0, MAX_SECTIONS).map((name) => `- ${quote(name)}`), ...more].join('\n')}`];
}

/** Formats text of a file as code, so that it is not rendered as Markdown. */
function quote(text: string): string {
  return `\`${cut(text.replaceAll('`', "'"), MAX_NAME_LENGTH)}\``;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
