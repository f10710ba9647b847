import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Tool } from '../../../extension/ports/tool.ts';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { plainText } from '../../../extension/protocol/agent/content-part.ts';
import type { SessionRewind } from '../../../extension/runtime/changes/session-rewind.ts';
import { answer, drain, message, testTool } from '../conversation.ts';
import { CHAPTERS, type Chapter, closingMark, extraText, taskText } from './plan.ts';

export function crashTools(workspace: string): Tool[] {
  const schema = z.strictObject({ file: z.string(), content: z.optional(z.string()) });
  const read = async (file: unknown): Promise<string> =>
    readFile(join(workspace, String(file)), 'utf8').catch(() => 'missing');
  const looking: Tool['execute'] = async ({ file }) => ({ content: await read(file) });
  return [
    { ...testTool('look', 'read', looking), schema },
    { ...testTool('check', 'read', looking), schema },
    {
      ...testTool('write', 'edit', async ({ file, content }, { writeFile }) => {
        await writeFile(join(workspace, String(file)), Buffer.from(String(content)));
        return { content: 'written' };
      }),
      schema,
    },
  ];
}

/** The user: continues the chapters from the session's current state, knowing only what the session shows. */
export class Conductor {
  private steering: number | undefined;

  constructor(
    private readonly session: AgentSession,
    private readonly rewind: SessionRewind,
    /** Whether the session was read from disk: a rewind at its end may have been interrupted. */
    private readonly resumed: boolean,
  ) {
    session.subscribe((event) => this.react(event));
  }

  async play(): Promise<void> {
    this.answerOpenQuestions();
    for (const [index, chapter] of CHAPTERS.entries()) {
      const wentOn = CHAPTERS.slice(index + 1).some((later) => later.kind === 'task' && this.wasTold(later.number));
      if (wentOn) continue;
      if (chapter.kind === 'task') await this.work(chapter);
      else await this.goBack(chapter);
    }
  }

  private async work({ number, steered }: Extract<Chapter, { kind: 'task' }>): Promise<void> {
    this.steering = steered ? number : undefined;
    while (!this.isFinished(number) || this.isRunning()) {
      if (this.isRunning()) {
        await drain(this.session.stream());
      } else {
        const payload = this.wasTold(number)
          ? { action: { type: 'continue', data: undefined } }
          : message(taskText(number));
        const { streamId } = await this.session.send(payload);
        await drain(this.session.stream({ streamId: streamId ?? '' }));
      }
    }
    this.steering = undefined;
  }

  private async goBack({ number, undone }: Extract<Chapter, { kind: 'rewind' }>): Promise<void> {
    const messageId = this.messageIdOf(number);
    const last = this.session.events.findLast(({ type }) => type === 'custom');
    const isThis = last?.type === 'custom' && last.kind === 'rewind' && last.data.messageId === messageId;
    if (undone && this.wasUndone(messageId)) return;
    if (isThis && this.resumed) await this.rewind.undo();
    if (undone && isThis) return;
    await this.rewind.rewind({ messageId, what: 'both' });
    if (undone) await this.rewind.undo();
  }

  private react(event: AgentEvent): void {
    if (event.type === 'tool_request') this.steerOnce();
    if (event.type === 'elicitation_request') void this.session.send(answer(event.requestId, 'accept'));
  }

  private answerOpenQuestions(): void {
    const { events } = this.session;
    if (!this.isRunning()) return;
    const answered = new Set(events.flatMap((event) => (event.type === 'elicitation_response' ? event.requestId : [])));
    const started = events.findLastIndex(({ type }) => type === 'agent_start');
    for (const event of events.slice(started)) {
      if (event.type !== 'elicitation_request' || answered.has(event.requestId)) continue;
      void this.session.send(answer(event.requestId, 'accept'));
    }
  }

  /** The message that is sent while the agent works, as soon as a call of the task was seen. */
  private steerOnce(): void {
    const number = this.steering;
    if (number === undefined || this.session.events.some((event) => isUserText(event, extraText(number)))) return;
    void this.session.send(message(extraText(number)));
  }

  private isRunning(): boolean {
    const { events } = this.session;
    const sent = events.findLastIndex(({ type }) => type === 'agent_start');
    const ended = events.findLastIndex(({ type }) => type === 'agent_end');
    return sent > ended;
  }

  private wasTold(number: number): boolean {
    return this.session.events.some((event) => isUserText(event, taskText(number)));
  }

  private isFinished(number: number): boolean {
    const words = this.session.events.map((event) =>
      event.type === 'message' && event.role === 'agent' ? plainText(event.content) : '',
    );
    return words.join('').includes(closingMark(number));
  }

  private messageIdOf(number: number): string {
    const told = this.session.events.find((event) => isUserText(event, taskText(number)));
    return told?.type === 'message' ? (told._meta?.messageId ?? '') : '';
  }

  private wasUndone(messageId: string): boolean {
    const { events } = this.session;
    const rewinds = events.flatMap((event) =>
      event.type === 'custom' && event.kind === 'rewind' && event.data.messageId === messageId
        ? [event.data.rewindId]
        : [],
    );
    return events.some(
      (event) => event.type === 'custom' && event.kind === 'rewind_undone' && rewinds.includes(event.data.rewindId),
    );
  }
}

function isUserText(event: AgentEvent, text: string): boolean {
  return event.type === 'message' && event.role === 'user' && plainText(event.content) === text;
}
