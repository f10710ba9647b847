import * as l10n from '@vscode/l10n';
import { once } from '../../base/once.ts';
import { textLocale } from '../../protocol/words/numbers.ts';
import { fenced, inlineCode } from '../../text/markdown-text.ts';
import type { SentRequest } from '../request/last-request.ts';
import type { SessionSecrets } from '../request/session-secrets.ts';
import { type PartBlock, REQUEST_GROUPS, type RequestGroup, type RequestPart, requestParts } from './request-parts.ts';

export interface RequestToShow extends SentRequest {
  /** Whether the request had secrets that are hidden here, because the user lets the model see them. */
  readonly hidesMore: boolean;
}

/** The document of a request as it was sent, without secrets. */
export async function shownRequest(
  sent: SentRequest,
  secrets: Pick<SessionSecrets, 'cleanForDisplay'>,
): Promise<string> {
  const { contents, config = sent.config } = await secrets.cleanForDisplay(sent);
  const hidesMore = config !== sent.config || contents.some((content, at) => content !== sent.contents[at]);
  return requestDocument({ ...sent, contents, config, hidesMore });
}

/** A request as a Markdown document: a table of its parts, then each part. Nothing in a part can end its code block. */
export function requestDocument(request: RequestToShow): string {
  const parts = requestParts(request).map((part, at) => ({ ...part, heading: headingOf(part, at + 1) }));
  const groups = REQUEST_GROUPS.flatMap((group) => {
    const own = parts.filter((part) => part.group === group);
    return own.length > 0 ? [{ title: groupTitle(group), parts: own }] : [];
  });
  const rows = groups.flatMap(({ title, parts: own }) => [
    { tokens: sumOf(own), text: `**${link(title)}** (${own.length})` },
    ...own.map(({ heading, tokens }) => ({ tokens, text: link(heading) })),
  ]);
  const bodies = groups.flatMap(({ title, parts: own }) => [
    `## ${title}`,
    ...own.flatMap(({ heading, blocks }) => [`### ${heading}`, ...blocks.flatMap(blockTexts)]),
  ]);
  const document = [
    `# ${l10n.t('What the Model Gets')}`,
    ...introduction(request, sumOf(parts)),
    table(rows),
    ...bodies,
  ];
  return `${document.join('\n\n')}\n`;
}

/** The tokens come first and are aligned, so that the table is readable in an editor too. */
function table(rows: readonly { readonly tokens: number; readonly text: string }[]): string {
  const header = l10n.t('Tokens');
  const width = Math.max(header.length, ...rows.map(({ tokens }) => tokensText(tokens).length));
  return [
    `| ${header.padStart(width)} | ${l10n.t('Part')} |`,
    `| ${'-'.repeat(width - 1)}: | --- |`,
    ...rows.map(({ tokens, text }) => `| ${tokensText(tokens).padStart(width)} | ${text} |`),
  ].join('\n');
}

function introduction({ model, at, usage, hidesMore }: RequestToShow, estimated: number): string[] {
  const time = new Date(at).toLocaleString(textLocale(), { dateStyle: 'medium', timeStyle: 'medium' });
  const { promptTokenCount: input, cachedContentTokenCount: cached = 0 } = usage ?? {};
  const output = (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0);
  const counted = input
    ? [
        l10n.t(
          'The service counted {0} input tokens, {1} of them cached ({2}%).',
          number(input),
          number(cached),
          Math.round((100 * cached) / input),
        ),
        l10n.t('The answer had {0} tokens.', number(output)),
      ]
    : [l10n.t('The service has not counted this request.')];
  return [
    l10n.t('This is the last request of this session, sent to {0} on {1}.', inlineCode(model), time),
    [l10n.t('Gantry estimates {0} tokens, as the table says by part.', number(estimated)), ...counted].join(' '),
    hidesMore
      ? l10n.t(
          'Secrets are replaced in this document. The request contained some of them; {0} removes them from requests.',
          '`gantry.safety.redactSecrets`',
        )
      : l10n.t('Secrets are replaced, here and in the request. The key and the headers of the request are not shown.'),
  ];
}

function groupTitle(group: RequestGroup): string {
  switch (group) {
    case 'instruction':
      return l10n.t('System instruction');
    case 'memory':
      return l10n.t('Instruction files');
    case 'tools':
      return l10n.t('Tools');
    case 'conversation':
      return l10n.t('Conversation');
    case 'generation':
      return l10n.t('Generation');
  }
}

/** The number makes a heading unique. A name is no inline code, because VS Code's editor has no links around that. */
function headingOf({ group, title, name = '' }: RequestPart, at: number): string {
  const plain = name.replace(notInHeading(), ' ').replace(/\s+/g, ' ').trim();
  // At the end of a word.
  const short = (plain.length > LONGEST_NAME ? plain.slice(0, LONGEST_NAME).replace(/ \S*$/, '') : plain).replace(
    ends(),
    '',
  );
  if (short === '') return `${at} ${title}`;
  return group === 'conversation' ? `${at} ${title} ${short}` : `${at} ${short}`;
}

/** Names may be hostile, and readers of Markdown disagree on how punctuation becomes part of a link. */
// V8 takes half a millisecond for a class of letters when a pattern is made.
const notInHeading = once(() => /[^\p{L}\p{N}_.,:/@' -]|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu);
const ends = once(() => /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu);
const LONGEST_NAME = 60;

function link(heading: string): string {
  return `[${heading}](#${slugOf(heading)})`;
}

/** The fragment that VS Code and GitHub give a heading. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function blockTexts({ caption, text, language }: PartBlock): string[] {
  return [
    ...(caption === undefined ? [] : [inlineCode(caption)]),
    ...(text === undefined ? [] : [fenced(text, language ?? 'text')]),
  ];
}

function sumOf(parts: readonly RequestPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

function tokensText(tokens: number): string {
  return tokens === 0 ? '–' : number(tokens);
}

function number(count: number): string {
  return Math.round(count).toLocaleString(textLocale());
}
