import { callText, reportedCall, reportedThought } from './gemini-cli-calls.ts';
import { RemoteFailure } from './remote-failure.ts';
import {
  isOver,
  type TaskArtifact,
  type TaskIds,
  type TaskMessage,
  type TaskPart,
  type TaskState,
  type TaskStatus,
  type TaskUpdate,
} from './task-update.ts';

/** Something to show in the thread. `data` is an image or another file as base64. */
export type ShownPart =
  | { readonly kind: 'text' | 'thought'; readonly text: string }
  | { readonly kind: 'media'; readonly data: string; readonly mimeType: string };

/** More than anybody reads, and small enough to keep in memory for several agents at once. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * What is known about a task. Updates may repeat what came before: a stream that is resumed begins with the whole task,
 * and the last chunk of an artifact may contain all of it.
 */
export class TaskProgress {
  ids: Partial<TaskIds> = {};
  state: TaskState | undefined;
  /** The message of the current state, such as a question or the reason of a failure. */
  said: TaskMessage | undefined;
  /** The agent answered without a task. */
  isAnswered = false;
  private readonly artifacts = new Map<string, KnownArtifact>();
  private readonly messages = new Map<string, TaskMessage>();
  /** The calls that Gemini CLI's server asks about. Its question names them no more. */
  private readonly awaiting = new Map<string, TaskPart>();
  /** What was said since the last call. */
  private spoken = '';
  private characters = 0;

  /** Returns what is new for a reader. */
  take(update: TaskUpdate): readonly ShownPart[] {
    this.ids = { ...this.ids, ...known(update.ids) };
    const shown = this.shown(update);
    this.characters += shown.reduce((sum, part) => sum + (part.kind === 'media' ? part.data : part.text).length, 0);
    if (this.characters > MAX_CHARACTERS)
      throw new RemoteFailure('endless', `It sent more than ${MAX_CHARACTERS / 1024 / 1024} MB and was stopped.`);
    return shown;
  }

  get isOver(): boolean {
    return this.state !== undefined && isOver(this.state);
  }

  /** Whether it waits for the next message without a question, as Gemini CLI's server does when it is done. */
  get endsTurn(): boolean {
    return this.state === 'input-required' && this.said === undefined && this.report.trim() !== '';
  }

  /** The result: what it made, or else what it said. */
  get report(): string {
    const made = [...this.artifacts.values()].map(({ name, parts }) => named(name, textOf(parts)));
    const last = this.state === undefined || this.state === 'completed' ? textOf(this.said?.parts ?? []) : '';
    const found = [...made, ...(made.includes(last) ? [] : [last])].filter((text) => text.trim() !== '');
    if (found.length > 0) return found.join('\n\n');
    if (this.state === 'input-required') return this.spoken;
    return textOf([...this.messages.values()].at(-1)?.parts ?? []);
  }

  /** The text of the current state. */
  get saidText(): string {
    return textOf(this.said?.parts ?? []).trim();
  }

  private shown(update: TaskUpdate): ShownPart[] {
    switch (update.kind) {
      case 'message':
        this.said = update.message;
        this.isAnswered = true;
        return this.heard(update.message);
      case 'status':
        return this.moved(update.status);
      case 'artifact':
        return this.made(update.artifact, update.append);
      case 'task': {
        const made = update.artifacts.flatMap((artifact) => this.made(artifact, false));
        const said = this.moved(update.status);
        const isSilent = this.messages.size === 0 && this.artifacts.size === 0;
        const last = isSilent ? update.history.findLast(({ isOfAgent }) => isOfAgent) : undefined;
        return [...made, ...said, ...(last ? this.heard(last) : [])];
      }
    }
  }

  private moved({ state, message }: TaskStatus): ShownPart[] {
    const shown = message ? this.heard(message) : [];
    const isAsking = state === 'input-required' && this.awaiting.size > 0;
    // While an approved call runs, Gemini CLI's server still says that it waits.
    const isRunning = !isAsking && message?.parts.some((part) => reportedCall(part) !== undefined);
    this.state = state === 'input-required' && isRunning ? 'working' : state;
    this.said = message ?? (isAsking ? { id: '', isOfAgent: true, parts: [...this.awaiting.values()] } : undefined);
    return shown;
  }

  private heard(message: TaskMessage): ShownPart[] {
    const key = message.id || JSON.stringify(message.parts);
    if (!message.isOfAgent || this.messages.has(key)) return [];
    this.messages.set(key, message);
    for (const part of message.parts) this.follow(part);
    return message.parts.flatMap(shownPart);
  }

  private follow(part: TaskPart): void {
    const call = reportedCall(part);
    if (!call) {
      this.spoken += textOf([part]);
      return;
    }
    this.spoken = '';
    if (call.state === 'awaiting_approval') this.awaiting.set(call.callId, part);
    else this.awaiting.delete(call.callId);
  }

  private made({ id, name, parts }: TaskArtifact, append: boolean | undefined): ShownPart[] {
    const earlier = this.artifacts.get(id);
    if (earlier && (append ?? !isMore(earlier.parts, parts))) {
      earlier.parts.push(...parts);
      return parts.flatMap(shownPart);
    }
    this.artifacts.set(id, { name, parts: [...parts] });
    return earlier ? addedTo(earlier.parts, parts) : parts.flatMap(shownPart);
  }
}

interface KnownArtifact {
  readonly name: string;
  readonly parts: TaskPart[];
}

/** The rest of a text that was shown in pieces. A text that differs is shown again. */
function addedTo(earlier: readonly TaskPart[], now: readonly TaskPart[]): ShownPart[] {
  const [before, after] = [earlier.flatMap(shownPart), now.flatMap(shownPart)];
  if (!isMore(earlier, now)) return after;
  const words = WORDS.flatMap((kind): ShownPart[] => {
    const text = wordsOf(after, kind).slice(wordsOf(before, kind).length);
    return text === '' ? [] : [{ kind, text }];
  });
  const count = before.filter(({ kind }) => kind === 'media').length;
  return [...words, ...after.filter(({ kind }) => kind === 'media').slice(count)];
}

/** Whether an artifact begins with what was known of it. */
function isMore(earlier: readonly TaskPart[], now: readonly TaskPart[]): boolean {
  const [before, after] = [earlier.flatMap(shownPart), now.flatMap(shownPart)];
  return WORDS.every((kind) => wordsOf(after, kind).startsWith(wordsOf(before, kind)));
}

const WORDS = ['thought', 'text'] as const;

function wordsOf(parts: readonly ShownPart[], of: ShownPart['kind']): string {
  return parts.map((part) => (part.kind === of && part.kind !== 'media' ? part.text : '')).join('');
}

function shownPart(part: TaskPart): ShownPart[] {
  if (part.kind === 'text') {
    const kind = part.isThought ? 'thought' : 'text';
    return part.text === '' ? [] : [{ kind, text: part.text }];
  }
  if (part.kind === 'file' && part.bytes !== undefined && part.mediaType.startsWith('image/'))
    return [{ kind: 'media', data: part.bytes, mimeType: part.mediaType }];
  const call = reportedCall(part);
  if (call) return call.state === 'scheduled' ? [{ kind: 'thought', text: `${callText(call)}\n` }] : [];
  return [{ kind: isInner(part) ? 'thought' : 'text', text: reportedThought(part) ?? `${attached(part)}\n` }];
}

/** Agents of ADK and Gemini CLI send their calls and thoughts as data. They are how it worked, and not its result. */
function isInner(part: TaskPart): boolean {
  if (part.kind === 'text') return part.isThought;
  const isAdk = part.kind === 'data' && typeof part.metadata['adk_type'] === 'string';
  return isAdk || reportedCall(part) !== undefined || reportedThought(part) !== undefined;
}

function textOf(parts: readonly TaskPart[]): string {
  let text = '';
  for (const part of parts) {
    if (isInner(part)) continue;
    if (part.kind === 'text') text += part.text;
    else text += `${text === '' || text.endsWith('\n') ? '' : '\n'}${attached(part)}`;
  }
  return text;
}

function attached(part: Exclude<TaskPart, { kind: 'text' }>): string {
  if (part.kind === 'data') return `\`\`\`json\n${JSON.stringify(part.data, undefined, 2)}\n\`\`\``;
  const { name, mediaType, url } = part;
  const about = [name, mediaType].filter((text) => text !== '').join(', ');
  return url === undefined ? `[file: ${about || 'unnamed'}]` : `[file: ${about === '' ? '' : `${about}, `}${url}]`;
}

function named(name: string, text: string): string {
  return name === '' || text.trim() === '' ? text : `${name}:\n${text}`;
}

function known(ids: Partial<TaskIds>): Partial<TaskIds> {
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== ''));
}
