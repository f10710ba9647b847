import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import { type StreamJson, streamOf } from '../a2a-in-process.ts';
import { A2aServer } from '../a2a-server.ts';
import { shareCompiled } from '../headless.ts';
import { type TempFolder, tempFolder } from '../temp-folder.ts';
import { freePort } from '../web-server.ts';
import { wholeLog } from './whole-log.ts';

/** One of two servers. Each has the other one as its remote agent "far". */
export class PairedGantry {
  private server: A2aServer | undefined;

  private constructor(
    readonly name: string,
    readonly port: number,
    private readonly folders: readonly [workspace: TempFolder, home: TempFolder],
    private readonly endpoint: string,
  ) {}

  static async create(name: string, endpoint: string): Promise<PairedGantry> {
    const [workspace, home] = [await tempFolder(`${name}-work`), await tempFolder(`${name}-home`)];
    shareCompiled(home.path);
    // The other one's definition names the port, so it must be known before the server starts.
    return new PairedGantry(name, await freePort(), [workspace, home], endpoint);
  }

  get workspace(): string {
    return this.folders[0].path;
  }

  get home(): string {
    return this.folders[1].path;
  }

  /** The token of the other one is read whenever it is needed, because each start has a new one. */
  async know({ port, home }: PairedGantry): Promise<void> {
    const folder = join(this.home, '.gemini', 'agents');
    await mkdir(folder, { recursive: true });
    const lines = [
      ...['name: far', 'kind: remote', 'description: The other one'],
      `agent_card_url: http://127.0.0.1:${port}/.well-known/agent-card.json`,
      ...['auth:', '  type: http', '  scheme: Bearer', `  token: "!cat '${join(home, 'a2a', `${port}.token`)}'"`],
    ];
    await writeFile(join(folder, 'far.md'), `---\n${lines.join('\n')}\n---\n`);
  }

  async start(): Promise<void> {
    const { workspace, endpoint, home, port } = this;
    this.server = await A2aServer.start({
      workspace,
      port,
      flags: ['--trust', '--yolo', '--sandbox', 'off', '--model', 'gemini-2.5-flash'],
      environment: {
        ...{ GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: endpoint },
        ...{ GANTRY_HOME: home, GEMINI_CLI_HOME: home },
      },
    });
  }

  async kill(): Promise<void> {
    await this.server?.stop('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  async dispose(): Promise<void> {
    await this.kill();
    for (const folder of this.folders) await folder.dispose();
  }

  /** A response of one request. */
  async result<Result>(method: string, params: unknown): Promise<Result> {
    const { error, result } = (await this.server?.rpc(method, params)) ?? {};
    if (error) throw new Error(`${method} at ${this.name}: ${error.message}`);
    return result as Result;
  }

  /** The events of a stream, until it ends or is cut. */
  async *stream(method: string, params: unknown): AsyncGenerator<StreamJson> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    try {
      const response = await this.server?.post(body);
      if (response) yield* streamOf(response);
    } catch {
      // The server was killed.
    }
  }

  /** The marks that calls have left, in order. */
  async marks(): Promise<string[]> {
    const text = await readFile(join(this.workspace, 'marks.txt'), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }

  /** The events of all logs, those of agents included. Fails if a log is not whole. */
  async logs(): Promise<AgentEvent[][]> {
    const folder = join(this.home, 'sessions');
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('log.jsonl'));
    return Promise.all(names.map((name) => wholeLog(join(folder, name))));
  }
}
