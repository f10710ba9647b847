import { join } from 'node:path';
import type { Tool } from '../../../extension/ports/tool.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { all, answer, message, testTool } from '../conversation.ts';
import { call, type HttpStep, type Piece, type Step, together, usage } from '../gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../gemini/server.ts';
import { type OtlpReceiver, type ReceivedMetric, type ReceivedSpan, startOtlpReceiver } from '../otlp-receiver.ts';
import { createTempWorkspace, type TempWorkspace } from '../temp-workspace.ts';
import { testHost } from '../test-host.ts';

/** What a receiver got. The metrics of several processes are one after another. */
export interface RecordedWork {
  readonly from: number;
  readonly to: number;
  readonly spans: readonly ReceivedSpan[];
  readonly metrics: readonly ReceivedMetric[];
}

const START = Date.parse('2026-03-03T13:00:00Z');
const HOURS = 2;
const MODELS = ['gemini-2.5-pro', 'gemini-2.5-flash'] as const;
/** How long each model takes until its first word, and what an answer adds to its context. */
const PACE = {
  'gemini-2.5-pro': { first: 2600, tokens: 5200 },
  'gemini-2.5-flash': { first: 700, tokens: 2600 },
};
const NO_WEB = '[[rule]]\ntoolName = "web_fetch"\ndecision = "deny"\npriority = 500\n';
const BUSY: HttpStep = {
  kind: 'http',
  status: 503,
  headers: {},
  body: '{"error":{"code":503,"status":"UNAVAILABLE"}}',
};

/** The kinds of tasks, with how often each comes. */
const TASKS = [
  { share: 3, steps: [] },
  { share: 4, steps: [['grep_search'], ['read_file', 'read_file']] },
  { share: 4, steps: [['read_file'], ['replace']] },
  { share: 2, steps: [['glob'], ['read_file', 'grep_search'], ['replace'], ['run_shell_command']] },
  { share: 1, steps: [['web_fetch'], ['read_file']] },
] as const;

/** Milliseconds of the work itself. */
const WORK: Readonly<Record<string, readonly [kind: Tool['kind'], ms: number]>> = {
  read_file: ['read', 8],
  glob: ['search', 40],
  grep_search: ['search', 120],
  replace: ['edit', 25],
  run_shell_command: ['execute', 9000],
  web_fetch: ['fetch', 800],
};

/**
 * Two hours with two models, as a receiver gets them: the product has the conversations, and a script plays the models,
 * the tools and the user. Time is virtual, so that every recording is the same.
 */
export async function recordWork(): Promise<RecordedWork> {
  const time = new ScriptedTime();
  const folder = await createTempWorkspace({ 'rules.toml': NO_WEB });
  const windows: WorkWindow[] = [];
  for (const model of MODELS) windows.push(await WorkWindow.open(model, time, folder));
  while (time.now < START + HOURS * 3_600_000) {
    // Most messages go to the quicker model.
    const [pro, flash] = windows;
    await (time.random() < 0.4 ? pro : flash)?.work();
    time.pass(time.about(55_000));
  }
  const received = await Promise.all(windows.map((window) => window.close()));
  await folder.dispose();
  return {
    from: START,
    to: START + HOURS * 3_600_000,
    spans: received.flatMap(({ spans }) => spans),
    metrics: received.flatMap(({ metrics }) => metrics),
  };
}

class ScriptedTime {
  now = START;
  private seed = 27;

  pass(ms: number): void {
    this.now += Math.round(ms);
  }

  /** The same numbers in each recording: https://en.wikipedia.org/wiki/Linear_congruential_generator */
  random(): number {
    this.seed = (this.seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return this.seed / 2 ** 32;
  }

  /** Mostly near this, and now and then three times as long. */
  about(ms: number): number {
    const wide = this.random() < 0.08 ? 3 : 1;
    return ms * wide * (0.5 + this.random());
  }
}

/** One window with one model, and a receiver of its own, as two processes would have. */
class WorkWindow {
  private context = 9000;

  private constructor(
    private readonly model: (typeof MODELS)[number],
    private readonly time: ScriptedTime,
    private readonly endpoint: GeminiEndpoint,
    private readonly receiver: OtlpReceiver,
    private readonly service: AgentService,
    private readonly session: AgentSession,
  ) {}

  static async open(
    model: (typeof MODELS)[number],
    time: ScriptedTime,
    { path }: Pick<TempWorkspace, 'path'>,
  ): Promise<WorkWindow> {
    const [endpoint, receiver] = await Promise.all([startGeminiEndpoint(), startOtlpReceiver()]);
    const host = testHost({
      environment: { GOOGLE_GEMINI_BASE_URL: endpoint.url },
      modelName: model,
      roots: [path],
      policyPaths: [join(path, 'rules.toml')],
      telemetry: { endpoint: receiver.url },
      loopDetection: false,
      now: () => time.now,
      onPause: (ms) => time.pass(ms),
    });
    const tools = Object.entries(WORK).map(([name, [kind, ms]]) =>
      testTool(name, kind, () => {
        time.pass(time.about(ms));
        return Promise.resolve({ content: 'Done.' });
      }),
    );
    const service = new AgentService(host, () => tools);
    const session = await service.createSession();
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      time.pass(time.about(time.random() < 0.2 ? 70_000 : 7000));
      void session.send(answer(event.requestId, time.random() < 0.9 ? 'accept' : 'decline'));
    });
    return new WorkWindow(model, time, endpoint, receiver, service, session);
  }

  /** One message, and everything until its end. */
  async work(): Promise<void> {
    const { endpoint, session, time } = this;
    const chosen = time.random() * TASKS.reduce((sum, { share }) => sum + share, 0);
    let before = 0;
    const task = TASKS.find(({ share }) => {
      before += share;
      return chosen < before;
    });
    // Busy for a while, as services are.
    const isBusy = Math.floor((time.now - START) / 600_000) === 7;
    for (const names of task?.steps ?? []) {
      if (time.random() < (isBusy ? 0.6 : 0.03)) endpoint.reply(BUSY);
      const calls = names.map((name) => call(name));
      endpoint.reply(() => this.answer(isBusy, 'I will look.', together(...calls)));
    }
    endpoint.always(() => this.answer(isBusy, 'Here is what I found.', ' It works now.'));
    await all(session, message('Go'));
  }

  async close(): Promise<Pick<RecordedWork, 'spans' | 'metrics'>> {
    await this.service.dispose();
    const { spans, metrics } = this.receiver;
    await Promise.all([this.receiver.close(), this.endpoint.dispose()]);
    return { spans, metrics };
  }

  /** Called when the request arrives. */
  private answer(isBusy: boolean, first: string, ...rest: readonly Piece[]): Piece {
    const { time } = this;
    const pace = PACE[this.model];
    time.pass(time.about(isBusy ? pace.first * 3 : pace.first));
    this.context += time.about(pace.tokens * 0.4);
    if (this.context > 90_000) this.context = 12_000;
    const heard = this.nextWord();
    const speak: Step = {
      kind: 'wait',
      headersFirst: true,
      pass: async () => {
        await heard;
        time.pass(time.about(pace.first * 0.8));
      },
    };
    const counts = usage({
      promptTokenCount: Math.round(this.context),
      candidatesTokenCount: Math.round(time.about(pace.tokens * 0.12)),
    });
    return [first, speak, ...rest, counts];
  }

  /** Resolves when the first words of the next answer have arrived, so that time passes after them and not before. */
  private nextWord(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.session.subscribe((event) => {
        if (event.type !== 'message' || event.role !== 'agent') return;
        stop();
        resolve();
      });
    });
  }
}
