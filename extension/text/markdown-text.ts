import { oneLine } from './one-line.ts';

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/** A code block with a fence that is longer than any in the text. */
export function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`;
}

export function inlineCode(text: string): string {
  const line = oneLine(text);
  const ticks = '`'.repeat(longestRun(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${line}${space}${ticks}`;
}

/** One line of text that stays what it is: no link, no picture, no formatting. */
export function plainMarkdown(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>&!#|~$]/g, '\\$&');
}

export function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** Closes an open code block, so that an interrupted answer does not swallow the text after it. */
export function closedFences(text: string): string {
  let open = '';
  for (const line of text.split('\n')) {
    const [, fence = '', rest = ''] = FENCE.exec(line) ?? [];
    if (open === '') open = fence;
    else if (fence.startsWith(open) && rest.trim() === '') open = '';
  }
  return open === '' ? text : `${text}\n${open}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
