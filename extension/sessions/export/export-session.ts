import { stripVTControlCharacters } from 'node:util';
import type { AgentEvent, ToolResponseEvent } from '../../protocol/agent/agent-event.ts';
import { type ContentPart, plainText } from '../../protocol/agent/content-part.ts';
import { referenceLabel } from '../../protocol/agent/reference.ts';
import { protectedText } from '../../protocol/transcript/protected-entry.ts';
import { Transcript } from '../../protocol/transcript/transcript.ts';
import type { Entry } from '../../protocol/transcript/transcript-entry.ts';
import { redactDeep, redactSecrets } from '../../safety/redact-secrets.ts';
import { closedFences, fenced, inlineCode, quoted } from '../../text/markdown-text.ts';
import { oneLine } from '../../text/one-line.ts';
import { unifiedDiff } from '../../text/unified-diff.ts';
import type { SessionHeader, SessionRecord } from '../session-record.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

export interface MarkdownSource {
  readonly title: string;
  readonly workspace: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Includes the events of agents that worked for the session. */
  readonly events: readonly AgentEvent[];
}

export interface JsonSource {
  readonly header: SessionHeader;
  readonly title: string;
  /** The records after the header of the log. */
  readonly records: readonly SessionRecord[];
  /** The logs of the session's agents and of agents below them. */
  readonly threads?: readonly AgentLog[];
}

/** The log of an agent, or only its id if the log is unreadable. */
export type AgentLog =
  | { readonly header: SessionHeader; readonly records: readonly SessionRecord[] }
  | { readonly missing: string };

/** The conversation as a Markdown document, as the user saw it, without secrets. */
export function exportMarkdown(source: MarkdownSource, known: readonly string[] = []): string {
  const details = new EventDetails(source.events, (text) => redactSecrets(text, known));
  const { redact } = details;
  const about = [
    source.createdAt.slice(0, 10),
    inlineCode(redact(source.workspace)),
    ...details.models.map(inlineCode),
  ];
  const blocks = [`# ${oneLine(redact(source.title)) || 'Untitled'}`, about.join(' · ')];
  let speaker = '';
  for (const entry of details.entries) {
    const text = entryText(entry, details);
    if (text === '') continue;
    const says = entry.kind === 'user' ? 'You' : 'Gantry';
    // Two consecutive messages of the user are two turns, but consecutive entries of Gantry are one.
    if (says === 'You' || says !== speaker) blocks.push(`## ${says}`);
    speaker = says;
    blocks.push(text);
  }
  return `${blocks.join('\n\n')}\n`;
}

/** The records of the log as one JSON document, without secrets. */
export function exportJson(
  { header, title, records, threads = [] }: JsonSource,
  known: readonly string[] = [],
): string {
  const session = { id: header.id, title, workspace: header.workspace, createdAt: header.at };
  const below = threads.length > 0 && { threads: threads.map(threadFields) };
  return `${JSON.stringify(redactDeep({ version: 1, session, records, ...below }, known), null, 2)}\n`;
}

function threadFields(log: AgentLog): object {
  if ('missing' in log) return { session: { id: log.missing }, missing: true };
  const { id, agent, parent, at } = log.header;
  return { session: { id, agent, parent, createdAt: at }, records: log.records };
}

/** Collects details that the transcript omits because the panel gets them in other ways. */
class EventDetails {
  readonly models: readonly string[];
  private readonly transcript = new Transcript();
  /** The tasks of agents, by thread. */
  private readonly tasks = new Map<string, string>();
  private readonly attachments = new Map<string, readonly ContentPart[]>();
  private readonly responses = new Map<string, ToolResponseEvent>();

  constructor(
    events: readonly AgentEvent[],
    readonly redact: (text: string) => string,
  ) {
    const models = new Set<string>();
    for (const event of events) {
      this.transcript.apply(event);
      this.takeTask(event);
      if (event.type === 'message') this.attachments.set(event.id, event.content.filter(isAttachment));
      if (event.type === 'tool_response') this.responses.set(event.requestId, event);
      if (event.type === 'session_update' && event.model && event.threadId === undefined) models.add(event.model);
    }
    this.models = [...models];
  }

  get entries(): readonly Entry[] {
    return this.transcript.entries;
  }

  /** The task and entries of an agent; empty if its log is unreadable. */
  thread(threadId: string): { readonly task: string; readonly entries: readonly Entry[] } {
    return { task: this.tasks.get(threadId) ?? '', entries: this.transcript.thread(threadId)?.entries ?? [] };
  }

  attachmentsOf(id: string): readonly string[] {
    return (this.attachments.get(id) ?? []).map(attachmentName);
  }

  displayOf(id: string): ToolResponseEvent['display'] {
    return this.responses.get(id)?.display;
  }

  private takeTask(event: AgentEvent): void {
    const { threadId = '' } = event;
    if (threadId === '' || this.tasks.has(threadId) || event.type !== 'message' || event.role !== 'user') return;
    this.tasks.set(threadId, plainText(event.content));
  }
}

function isAttachment({ type }: ContentPart): boolean {
  return type === 'media' || type === 'reference';
}

function attachmentName(part: ContentPart): string {
  if (part.type === 'reference') return referenceLabel(part);
  return part.type === 'media' ? (part.uri ?? part.mimeType ?? 'a file') : '';
}

function entryText(entry: Entry, details: EventDetails): string {
  const { redact } = details;
  switch (entry.kind) {
    case 'user':
      return userText(redact(entry.text), details.attachmentsOf(entry.id).map(redact));
    case 'answer':
      return closedFences(redact(entry.text).trim());
    case 'thinking':
      return thinkingText(redact(entry.text), entry.seconds);
    case 'tool':
      return [toolText(entry, details), entry.agent ? threadText(entry.agent, details) : '']
        .filter(Boolean)
        .join('\n\n');
    case 'problem':
      return quoted(redact(`**${entry.problem.title}.** ${entry.problem.detail}`));
    case 'note':
      return quoted(entry.text);
    case 'compacted':
      return quoted(COMPACTED);
    case 'protected':
      return quoted(redact(protectedText(entry)));
    default:
      // Token counts are not useful in a document.
      return '';
  }
}

const COMPACTED = 'From here on the model was sent a summary of what was said before.';

function userText(text: string, attachments: readonly string[]): string {
  const attached = attachments.length > 0 ? `Attached: ${attachments.map(inlineCode).join(', ')}` : '';
  return [closedFences(text.trim()), attached].filter(Boolean).join('\n\n');
}

function thinkingText(text: string, seconds: number): string {
  return folded(seconds > 0 ? `Thought for ${seconds} s` : 'Thought', closedFences(foldable(text.trim())));
}

/** The task and work of an agent, or a note that its thread is unreadable. */
function threadText({ threadId, name }: NonNullable<ToolEntry['agent']>, details: EventDetails): string {
  const { task, entries } = details.thread(threadId);
  const texts = entries.map((entry) => {
    const text = entryText(entry, details);
    return entry.kind === 'answer' ? foldable(text) : text;
  });
  const inside = [task === '' ? '' : quoted(foldable(details.redact(task))), ...texts].filter((text) => text !== '');
  const who = foldable(oneLine(details.redact(name))) || 'the agent';
  if (inside.length === 0)
    return quoted(`The thread of ${who}, session ${inlineCode(threadId)}, cannot be read any more.`);
  return folded(`Thread of ${who}`, inside.join('\n\n'));
}

function folded(summary: string, inside: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${inside}\n\n</details>`;
}

/** Escapes tags that would end the enclosing `<details>` element. */
function foldable(text: string): string {
  return text.replaceAll(/<(?=\/?(?:details|summary))/gi, '&lt;');
}

function toolText(entry: ToolEntry, details: EventDetails): string {
  const { redact } = details;
  const display = details.displayOf(entry.id);
  const subject = entry.subject && ` ${inlineCode(redact(entry.subject))}`;
  const summary = oneLine(redact(entry.summary));
  const outcome = [entry.status === 'error' ? 'failed' : '', summary].filter(Boolean).join(': ');
  const line = `- **${display?.name ?? entry.name}**${subject}${outcome && ` – ${outcome}`}`;
  const shown = display?.result;
  if (shown?.type === 'diff')
    return withBlock(line, unifiedDiff(redact(shown.beforeText), redact(shown.afterText)), 'diff');
  if (shown?.type === 'terminal') return withBlock(line, redact(stripVTControlCharacters(shown.ansi ?? '')));
  return withBlock(line, redact(entry.detail));
}

function withBlock(line: string, text: string, language = ''): string {
  return text.trim() === '' ? line : `${line}\n\n${fenced(text, language)}`;
}
