import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { type GeminiMessage, messageSchema } from './message.ts';

/** A conversation that Gemini CLI recorded, with all later updates applied. */
export interface GeminiRecording {
  readonly sessionId: string;
  /** SHA-256 of the project's root path, in hex. */
  readonly projectHash: string;
  /** ISO 8601, or empty if it was not recorded. */
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly kind: 'main' | 'subagent';
  /** One sentence about the conversation; empty if there is none. */
  readonly summary: string;
  readonly messages: readonly GeminiMessage[];
  readonly skipped: readonly SkippedLine[];
}

export interface SkippedLine {
  /** Counting from 1. */
  readonly line: number;
  readonly reason: string;
}

export interface UnreadableRecording {
  /** For the user. */
  readonly problem: string;
}

const said = once(() => z.string().min(1).optional().catch(undefined));
const metadata = once(() =>
  z.object({
    sessionId: said(),
    projectHash: said(),
    startTime: said(),
    lastUpdated: said(),
    kind: z.enum(['main', 'subagent']).optional().catch(undefined),
    summary: said(),
    messages: z.array(z.unknown()).optional().catch(undefined),
  }),
);
type Metadata = Omit<z.infer<ReturnType<typeof metadata>>, 'messages'>;

const firstLine = once(() =>
  metadata().refine(({ sessionId, projectHash }) => sessionId !== undefined && projectHash !== undefined),
);
const update = once(() => z.object({ $set: metadata() }));
const rewind = once(() => z.object({ $rewindTo: z.string() }));
const withId = once(() => z.object({ id: z.unknown() }).refine(({ id }) => id !== undefined));

/** Reads both formats: one JSON object per line, and the single object that older versions wrote. */
export function readGeminiRecording(text: string): GeminiRecording | UnreadableRecording {
  const lines = new RecordingReader();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() !== '') lines.take(parseJson(line), index + 1);
  }
  const recording = lines.recording() ?? readSingleObject(text);
  return recording ?? { problem: l10n.t('This file is not a recording of Gemini CLI: it does not name a session.') };
}

/** An object that spans several lines can't be read line by line. */
function readSingleObject(text: string): GeminiRecording | undefined {
  const whole = new RecordingReader();
  whole.take(parseJson(text), 1);
  return whole.recording();
}

class RecordingReader {
  private metadata: Metadata = {};
  /** A message that is recorded again keeps its position, as a Map does. */
  private messages = new Map<string, GeminiMessage>();
  private readonly skipped: SkippedLine[] = [];

  take(value: unknown, line: number): void {
    const rewound = rewind().safeParse(value);
    const changed = update().safeParse(value);
    const described = firstLine().safeParse(value);
    if (rewound.success) this.rewindTo(rewound.data.$rewindTo);
    else if (changed.success) this.describe(changed.data.$set, line);
    else if (withId().safeParse(value).success) this.addMessage(value, line);
    else if (described.success) this.describe(described.data, line);
    else this.skip(line, value === undefined ? 'it is not JSON' : 'it is no record that is known here');
  }

  recording(): GeminiRecording | undefined {
    const { sessionId, projectHash, startTime, lastUpdated, kind, summary } = this.metadata;
    if (sessionId === undefined || projectHash === undefined) return undefined;
    return {
      sessionId,
      projectHash,
      startedAt: startTime ?? '',
      updatedAt: lastUpdated ?? startTime ?? '',
      kind: kind ?? 'main',
      summary: summary ?? '',
      messages: [...this.messages.values()],
      skipped: this.skipped,
    };
  }

  private describe({ messages, ...about }: z.infer<ReturnType<typeof metadata>>, line: number): void {
    const known = Object.entries(about).filter(([, value]) => value !== undefined);
    this.metadata = { ...this.metadata, ...Object.fromEntries(known) };
    if (!messages) return;
    this.messages = new Map();
    for (const message of messages) this.addMessage(message, line);
  }

  private addMessage(value: unknown, line: number): void {
    const parsed = messageSchema().safeParse(value);
    if (parsed.success) this.messages.set(parsed.data.id, parsed.data);
    else this.skip(line, `a message in it has no usable "${parsed.error.issues[0]?.path.join('.')}"`);
  }

  /** Ignores an unknown id. Gemini CLI would drop all messages then, but that would lose the conversation. */
  private rewindTo(id: string): void {
    const ids = [...this.messages.keys()];
    const from = ids.indexOf(id);
    if (from >= 0) for (const later of ids.slice(from)) this.messages.delete(later);
  }

  private skip(line: number, reason: string): void {
    this.skipped.push({ line, reason });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
