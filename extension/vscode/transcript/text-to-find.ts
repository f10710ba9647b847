import { compactedWords } from '../../protocol/transcript/compacted-words.ts';
import { protectedText } from '../../protocol/transcript/protected-entry.ts';
import type { Entry } from '../../protocol/transcript/transcript-entry.ts';

/** What a reader can find in an entry: what is seen of it, and what is seen when it is opened. */
export function textToFind(entry: Entry): string {
  switch (entry.kind) {
    case 'user':
    case 'note':
      return entry.text;
    case 'answer':
    case 'thinking':
      return withoutMarks(entry.text);
    case 'tool':
      return toolText(entry);
    case 'problem':
      return `${entry.problem.title}\n${entry.problem.detail}`;
    case 'compacted':
      return `${compactedWords(entry)}\n${entry.summary}`;
    case 'protected':
      return protectedText(entry);
    case 'retry':
      return entry.why;
    case 'choice':
      return `${entry.title}\n${entry.message}`;
    case 'usage':
      return '';
  }
}

function toolText({ subject, summary, detail, patch, approval, agent }: Extract<Entry, { kind: 'tool' }>): string {
  const steps = agent?.steps.flatMap((step) => [step.subject, step.summary]) ?? [];
  return [subject, summary, ...steps, agent?.words, detail, patch, approval?.title, approval?.message]
    .filter((part) => part)
    .join('\n');
}

const FENCED = /^ {0,3}(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:^ {0,3}\1[`~]*\s*$|$(?![\s\S]))/gm;

/** Markdown as it reads when it is drawn, near enough. In code every sign stays. */
function withoutMarks(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const fence of text.matchAll(FENCED)) {
    parts.push(wordsOf(text.slice(end, fence.index)), fence[2] ?? '');
    end = fence.index + fence[0].length;
  }
  return [...parts, wordsOf(text.slice(end))].join('\n');
}

function wordsOf(text: string): string {
  return text
    .replace(/^ {0,3}(?:#{1,6}|>|[-*+]|\d+[.)])\s+/gm, '')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/\*\*|`/g, '')
    .replace(/(^|\W)([*_])(?=\S)([^*_\n]+)\2(?!\w)/g, '$1$3');
}
