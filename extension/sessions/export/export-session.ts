import { stripVTControlCharacters } from 'node:util';
import type { AgentEvent, ToolResponseEvent } from '../../protocol/agent-event.ts';
import type { ContentPart } from '../../protocol/content-part.ts';
import { referenceLabel } from '../../protocol/reference.ts';
import { Transcript } from '../../protocol/transcript.ts';
import type { Entry } from '../../protocol/transcript-entry.ts';
import { redactDeep, redactSecrets } from '../../safety/redact-secrets.ts';
import { oneLine } from '../../tools/one-line.ts';
import { unifiedDiff } from '../../tools/unified-diff.ts';
import type { SessionHeader, SessionRecord } from '../session-record.ts';
import { closedFences, fenced, inlineCode, quoted } from './markdown.ts';

export interface MarkdownSource {
  readonly title: string;
  readonly workspace: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly events: readonly AgentEvent[];
}

export interface JsonSource {
  readonly header: SessionHeader;
  readonly title: string;
  /** What follows the header in the log. */
  readonly records: readonly SessionRecord[];
}

/** The conversation as a reader saw it, as a document, without the secrets in it. */
export function exportMarkdown(source: MarkdownSource, known: readonly string[] = []): string {
  const details = new EventDetails(source.events);
  const redact = (text: string): string => redactSecrets(text, known);
  const about = [
    source.createdAt.slice(0, 10),
    inlineCode(redact(source.workspace)),
    ...details.models.map(inlineCode),
  ];
  const blocks = [`# ${oneLine(redact(source.title)) || 'Untitled'}`, about.join(' · ')];
  let speaker = '';
  for (const entry of entriesOf(source.events)) {
    const text = entryText(entry, details, redact);
    if (text === '') continue;
    const says = entry.kind === 'user' ? 'You' : 'Gantry';
    // Two messages of the user in a row are two turns; what Gantry does in a row is one.
    if (says === 'You' || says !== speaker) blocks.push(`## ${says}`);
    speaker = says;
    blocks.push(text);
  }
  return `${blocks.join('\n\n')}\n`;
}

/** The records of the log as one JSON document, without the secrets in it. */
export function exportJson({ header, title, records }: JsonSource, known: readonly string[] = []): string {
  const session = { id: header.id, title, workspace: header.workspace, createdAt: header.at };
  return `${JSON.stringify(redactDeep({ version: 1, session, records }, known), null, 2)}\n`;
}

/** What the transcript leaves out because the panel gets it in other ways. */
class EventDetails {
  readonly models: readonly string[];
  private readonly attachments = new Map<string, readonly ContentPart[]>();
  private readonly responses = new Map<string, ToolResponseEvent>();

  constructor(events: readonly AgentEvent[]) {
    const models = new Set<string>();
    for (const event of events) {
      if (event.type === 'message') this.attachments.set(event.id, event.content.filter(isAttachment));
      if (event.type === 'tool_response') this.responses.set(event.requestId, event);
      if (event.type === 'session_update' && event.model) models.add(event.model);
    }
    this.models = [...models];
  }

  attachmentsOf(id: string): readonly string[] {
    return (this.attachments.get(id) ?? []).map(attachmentName);
  }

  displayOf(id: string): ToolResponseEvent['display'] {
    return this.responses.get(id)?.display;
  }
}

function isAttachment({ type }: ContentPart): boolean {
  return type === 'media' || type === 'reference';
}

function attachmentName(part: ContentPart): string {
  if (part.type === 'reference') return referenceLabel(part);
  return part.type === 'media' ? (part.uri ?? part.mimeType ?? 'a file') : '';
}

function entriesOf(events: readonly AgentEvent[]): readonly Entry[] {
  const transcript = new Transcript();
  for (const event of events) transcript.apply(event);
  return transcript.entries;
}

function entryText(entry: Entry, details: EventDetails, redact: (text: string) => string): string {
  switch (entry.kind) {
    case 'user':
      return userText(redact(entry.text), details.attachmentsOf(entry.id).map(redact));
    case 'answer':
      return closedFences(redact(entry.text).trim());
    case 'thinking':
      return thinkingText(redact(entry.text), entry.seconds);
    case 'tool':
      return toolText(entry, details, redact);
    case 'problem':
      return quoted(redact(`**${entry.problem.title}.** ${entry.problem.detail}`));
    case 'note':
      return quoted(entry.text);
    case 'compacted':
      return quoted(COMPACTED);
    default:
      // Counts of tokens are of no use to someone who reads what was said.
      return '';
  }
}

const COMPACTED = 'From here on the model was sent a summary of what was said before.';

function userText(text: string, attachments: readonly string[]): string {
  const attached = attachments.length > 0 ? `Attached: ${attachments.map(inlineCode).join(', ')}` : '';
  return [closedFences(text.trim()), attached].filter(Boolean).join('\n\n');
}

function thinkingText(text: string, seconds: number): string {
  const inside = closedFences(text.trim().replaceAll(/<(?=\/?(?:details|summary))/gi, '&lt;'));
  const summary = seconds > 0 ? `Thought for ${seconds} s` : 'Thought';
  return `<details>\n<summary>${summary}</summary>\n\n${inside}\n\n</details>`;
}

function toolText(
  entry: Extract<Entry, { kind: 'tool' }>,
  details: EventDetails,
  redact: (text: string) => string,
): string {
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
