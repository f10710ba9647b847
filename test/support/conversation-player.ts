import assert from 'node:assert/strict';
import { type Tool, toolError } from '../../extension/ports/tool.ts';
import type { AgentSession } from '../../extension/protocol/agent/agent-session.ts';
import { plainText, textPart } from '../../extension/protocol/agent/content-part.ts';
import { ProblemError } from '../../extension/protocol/agent/problem.ts';
import { AgentService } from '../../extension/runtime/agent-service.ts';
import { idOf, openQuestions, untilEvent } from './agent.ts';
import { all, answer, drain, message, testTool, until } from './conversation.ts';
import { cut, malformedFrame, serverError } from './gemini/faults.ts';
import { type Gate, gate } from './gemini/gate.ts';
import { call, type Piece, pause, stream, thought } from './gemini/script.ts';
import type { GeminiEndpoint } from './gemini/server.ts';
import { testHost } from './test-host.ts';
import type { ConversationStep, Decision, Fault, Interjection } from './wild-conversation.ts';

type StepOf<Kind extends ConversationStep['kind']> = Extract<ConversationStep, { kind: Kind }>;

const FAULTS: Readonly<Record<Fault, Piece>> = { server: serverError(), cut: cut(), malformed: malformedFrame() };

export interface PlayerFolders {
  readonly sessions: string;
  readonly workspace: string;
}

/** Plays the steps of a wild conversation with a real service. */
export class ConversationPlayer {
  service: AgentService;
  session: AgentSession | undefined;
  readonly helpers: AgentSession[] = [];
  private readonly helping: Promise<unknown>[] = [];
  private decision: Decision = 'accept';
  private door: Gate = gate();
  private count = 0;

  constructor(
    private readonly endpoint: GeminiEndpoint,
    private readonly folders: PlayerFolders,
  ) {
    this.service = this.open();
  }

  /** Opens a new window over the same folders, with the same tools. */
  open(): AgentService {
    const { sessions, workspace } = this.folders;
    const environment = { GOOGLE_GEMINI_BASE_URL: this.endpoint.url };
    return new AgentService(testHost({ environment, sessions, roots: [workspace] }), () => this.tools());
  }

  async play(step: ConversationStep): Promise<void> {
    this.session ??= this.watch(await this.service.createSession());
    this.door = gate();
    this.decision = step.kind === 'tools' ? step.decision : 'accept';
    await this.playKind(step, this.session);
    await this.idle();
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.helping);
    for (const session of [this.session, ...this.helpers]) if (session) await untilIdle(session);
  }

  private playKind(step: ConversationStep, session: AgentSession): Promise<unknown> {
    switch (step.kind) {
      case 'say':
        this.endpoint.reply(...(step.thought ? [thought('Hm.')] : []), stream(...step.words));
        return all(session, this.nextMessage());
      case 'tools':
        return this.useTools(step, session);
      case 'fault':
        return this.fail(step, session);
      case 'stop':
        return this.stop(step, session);
      case 'interject':
        return this.interject(step, session);
      case 'rewind':
        return this.rewind(step, session);
      case 'title':
        return session.send({ update: { title: step.title } });
      case 'continue':
        return this.goOn(session);
      case 'restart':
        return this.restart(step, session);
    }
  }

  private async useTools({ calls }: StepOf<'tools'>, session: AgentSession): Promise<void> {
    this.endpoint.reply('Let me see. ', ...calls.map((name) => call(name, {})));
    await all(session, this.nextMessage());
  }

  private async fail({ fault, words, afterwards }: StepOf<'fault'>, session: AgentSession): Promise<void> {
    this.endpoint.reply(...(fault === 'server' ? [] : [words]), FAULTS[fault]);
    await all(session, this.nextMessage());
    if (afterwards === 'retry') await this.goOn(session);
  }

  private async stop({ at, words }: StepOf<'stop'>, session: AgentSession): Promise<void> {
    if (at === 'words') this.endpoint.reply(words, pause(this.door), 'never');
    else this.endpoint.reply(words, call('look', {}), call('hang', {}));
    await session.send(this.nextMessage());
    await this.door.reached;
    if (at === 'words') await until(session, `agent: ${words}`);
    await session.abort();
  }

  private async interject({ messages, stop }: StepOf<'interject'>, session: AgentSession): Promise<void> {
    this.endpoint.reply(call('hang', {}));
    await session.send(this.nextMessage());
    await this.door.reached;
    for (const one of messages) await this.interjectOne(one, session);
    if (stop) await session.abort();
    else this.door.open();
  }

  private async interjectOne({ delivery, withdrawn }: Interjection, session: AgentSession): Promise<void> {
    await session.send({ message: { content: [textPart(`Also ${++this.count}`)], delivery } });
    const { _meta: meta } = session.events.at(-1) ?? {};
    const data = { messageId: meta?.['messageId'] };
    if (withdrawn) await session.send({ action: { type: 'withdraw', data } });
  }

  private async rewind({ message: nth, undo }: StepOf<'rewind'>, session: AgentSession): Promise<void> {
    const ids = session.events.flatMap((event) =>
      event.type === 'message' && event.role === 'user' ? (event._meta?.messageId ?? []) : [],
    );
    const messageId = ids[nth % ids.length];
    if (messageId === undefined) return;
    const rewind = this.service.session(idOf(session)).rewind;
    try {
      await rewind.rewind({ messageId, what: 'conversation' });
    } catch (error) {
      // The message was withdrawn, or an earlier rewind removed it.
      assert.ok(ProblemError.is(error, 'bad-input'));
      return;
    }
    if (undo) await rewind.undo();
  }

  private async goOn(session: AgentSession): Promise<void> {
    try {
      await all(session, { action: { type: 'continue', data: undefined } });
    } catch (error) {
      assert.ok(ProblemError.is(error, 'bad-input'));
    }
  }

  /** After a restart, the same events are shown, and a pending question is still pending. */
  private async restart({ at }: StepOf<'restart'>, session: AgentSession): Promise<void> {
    if (at === 'question') {
      this.decision = 'stop';
      this.endpoint.reply(call('look', {}), call('hang_on', {}));
      await session.send(this.nextMessage());
      await untilEvent(session, () => openQuestions(session).length > 0);
    }
    if (at === 'words') {
      this.endpoint.reply('Half ', pause(this.door), 'never');
      await session.send(this.nextMessage());
      await this.door.reached;
      await until(session, 'agent: Half ');
    }
    if (session.events.length === 0) return;
    const before = [...session.events];
    await this.service.dispose();
    this.service = this.open();
    this.session = this.watch(await this.service.resumeSession(idOf(session)));
    assert.deepEqual(this.session.events.slice(0, before.length), before);
    const [question] = openQuestions(this.session);
    if (at !== 'question' || question === undefined) return;
    const run = drain(this.session.stream());
    await this.session.send(answer(question, 'accept'));
    await run;
  }

  private watch(session: AgentSession): AgentSession {
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request' || event.message.includes('hang_on')) return;
      if (this.decision === 'stop') void session.abort();
      else void session.send(answer(event.requestId, this.decision));
    });
    return session;
  }

  private nextMessage(): ReturnType<typeof message> {
    return message(`Message ${++this.count}`);
  }

  private tools(): Tool[] {
    return [
      testTool('look', 'read', async (_args, { update }) => {
        update({ resultSummary: 'looking' });
        return { content: 'seen', data: { lines: 1 }, display: { resultSummary: '1 line' } };
      }),
      testTool('fail', 'read', async () => toolError('file_not_found', 'There is no such file.')),
      testTool('write', 'edit', async () => ({ content: [{ text: 'written' }] })),
      testTool('hang_on', 'edit', async () => ({ content: 'written' })),
      testTool('hang', 'read', async (_args, { signal }) => {
        await this.door.pass(signal);
        return { content: 'went on' };
      }),
      testTool('helper', 'agent', (_args, { callId, signal }) => this.help(callId, signal)),
    ];
  }

  private async help(callId: string, signal: AbortSignal): ReturnType<Tool['execute']> {
    assert.ok(this.session);
    const helper = await this.service.createSession({ parent: { sessionId: idOf(this.session), callId } });
    this.helpers.push(helper);
    signal.addEventListener('abort', () => void helper.abort(), { once: true });
    const run = all(helper, message('Help'));
    this.helping.push(run);
    const words = (await run).map((event) => (event.type === 'message' ? plainText(event.content) : ''));
    return { content: words.join('') };
  }
}

/** Streams that have started, even if only with their user message, and not ended. */
function openStreams({ events }: AgentSession): Set<string> {
  const session = events[0]?.streamId;
  const open = new Set(events.map(({ streamId }) => streamId).filter((id) => id !== session));
  for (const { type, streamId } of events) if (type === 'agent_end') open.delete(streamId);
  return open;
}

/** The end of a run may start the next one, so this checks again. */
async function untilIdle(session: AgentSession): Promise<void> {
  while (openStreams(session).size > 0) {
    await new Promise<void>((resolve) => {
      const stop = session.subscribe(() => {
        stop();
        resolve();
      });
    });
  }
}
