import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { SessionHeader, SessionRecord } from '../session-record.ts';
import { type SessionStop, StopFinder } from './session-stop.ts';

export interface SessionSummary {
  readonly id: string;
  /** Empty if the log no longer contains it. */
  readonly workspace: string;
  /** The user's title, otherwise the model's, otherwise empty. */
  readonly title: string;
  /** The beginning of the first message. */
  readonly firstWords: string;
  /** Milliseconds since 1970, as is `updatedAt`. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The number of messages that the user sent, without rewound ones. */
  readonly messages: number;
  readonly pinned: boolean;
  readonly parent?: { readonly sessionId: string; readonly callId: string };
  /** The id of the original, if this session is a copy. */
  readonly copyOf?: string;
  readonly stop?: SessionStop;
  readonly bytes: number;
  /** Why the session can't be opened. Little else is known then. */
  readonly problem?: string;
}

/** Facts about the file. Its times are used if the records have none. */
export interface LogFacts {
  readonly id: string;
  readonly bytes: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const FIRST_WORDS = 80;

export function summarise(
  { id, bytes, createdAt, updatedAt }: LogFacts,
  header: SessionHeader,
  records: readonly SessionRecord[],
): SessionSummary {
  const messages = new Messages();
  const stops = new StopFinder();
  let userTitle = '';
  let modelTitle = '';
  let pinned = false;
  for (const record of records) {
    messages.add(record);
    stops.add(record);
    if (record.type === 'pinned') pinned = record.pinned;
    if (record.type !== 'title') continue;
    if (record.by === 'user') userTitle = record.title;
    else modelTitle = record.title;
  }
  const visible = messages.visible();
  const { stop } = stops;
  const { parent, origin } = header;
  const created = time(header.at);
  // Copied records are older than the header of the copy.
  const updated = Math.max(created ?? 0, time(records.at(-1)?.at) ?? 0);
  return {
    id,
    workspace: header.workspace,
    title: userTitle || modelTitle,
    firstWords: visible[0]?.words() ?? '',
    createdAt: created ?? createdAt,
    updatedAt: updated || updatedAt,
    messages: visible.length,
    pinned,
    ...(parent && { parent }),
    ...(origin && origin.kind !== 'gemini-cli' && { copyOf: origin.of }),
    ...(stop && { stop }),
    bytes,
  };
}

interface Message {
  /** A function, because only the text of the first message is needed. */
  words(): string;
  /** The rewinds that removed the message and were not undone. */
  readonly cutBy: Set<string>;
}

/** The user's messages in the order in which they joined the conversation. */
class Messages {
  private readonly delivered = new Map<string, Message>();
  private readonly pending = new Map<string, Message['words']>();

  add(record: SessionRecord): void {
    switch (record.type) {
      case 'sent':
        if (record.event) this.deliver(record.event.id, wordsOf(record.shown, record.event.content?.parts));
        break;
      case 'pending':
        this.pending.set(record.id, wordsOf(record.shown, record.parts));
        break;
      case 'event': {
        const words = this.pending.get(record.event.id);
        if (words) this.deliver(record.event.id, words);
        break;
      }
      case 'rewind':
        if (record.what !== 'files') this.cut(record.messageId, record.id);
        break;
      case 'rewind_undone':
        for (const { cutBy } of this.delivered.values()) cutBy.delete(record.rewindId);
        break;
    }
  }

  visible(): Message[] {
    return [...this.delivered.values()].filter(({ cutBy }) => cutBy.size === 0);
  }

  private deliver(id: string, words: Message['words']): void {
    if (!this.delivered.has(id)) this.delivered.set(id, { words, cutBy: new Set() });
  }

  private cut(messageId: string, rewindId: string): void {
    let reached = false;
    for (const [id, { cutBy }] of this.delivered) {
      reached ||= id === messageId;
      if (reached) cutBy.add(rewindId);
    }
  }
}

/** Texts in parts of the log, whose fields were not validated when the log was read. */
const texts = once(() =>
  z.array(z.object({ type: z.optional(z.string()), text: z.optional(z.string()), thought: z.optional(z.unknown()) })),
);

function wordsOf(shown: unknown, sent: unknown): Message['words'] {
  return () => firstWords(shown, sent);
}

/** The beginning of the shown content, or otherwise of the sent content. */
function firstWords(shown: unknown, sent: unknown): string {
  const parts = texts().safeParse(shown ?? sent).data ?? [];
  const said = parts.filter(({ type, thought }) => (type ?? 'text') === 'text' && thought !== true);
  const text = said.map((part) => part.text ?? '').join('');
  const line = text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  // Split by code points to keep surrogate pairs intact. Slice first, because a line may have megabytes.
  return [...line.slice(0, 2 * FIRST_WORDS)].slice(0, FIRST_WORDS).join('').trimEnd();
}

function time(at: string | undefined): number | undefined {
  const value = Date.parse(at ?? '');
  return value > 0 ? value : undefined;
}
