import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Diagnostic, SemanticTokensLegend } from 'vscode-languageserver-protocol/node';
import { FileChangeType, ResponseError } from 'vscode-languageserver-protocol/node';
import { atExit } from '../at-exit.ts';
import { distDir } from '../dist.ts';
import { eventually } from '../poll.ts';
import { repoRoot } from '../repo.ts';
import { type TempFolder, tempFolder } from '../temp-folder.ts';
import type { AskedClient, LspClientOptions } from './lsp-client.ts';

const run = promisify(execFile);

interface LspAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Neovim, which talks to the language server with its own client. */
export class NeovimClient implements AskedClient {
  readonly errors = '';
  legend: SemanticTokensLegend = { tokenTypes: [], tokenModifiers: [] };
  readonly connection: AskedClient['connection'] = {
    sendRequest: async (type, params) => {
      const { result = null, error } = await this.ask<LspAnswer>('request', { method: type.method, params });
      if (error) throw new ResponseError(error.code, error.message);
      // Answers of a server are what its protocol says.
      return result as never;
    },
  };

  private constructor(
    private readonly process: ChildProcess,
    private readonly place: TempFolder,
  ) {}

  static async isInstalled(): Promise<boolean> {
    return run('nvim', ['--version']).then(
      () => true,
      () => false,
    );
  }

  static async start({ root, trusted = true, options }: LspClientOptions): Promise<NeovimClient> {
    const place = await tempFolder('nvim');
    const script = join(repoRoot, 'test/support/language-server/neovim.lua');
    const args = ['--clean', '--headless', '-n', '--listen', join(place.path, 'socket'), '-c', `luafile ${script}`];
    const child = spawn('nvim', args, { stdio: 'ignore' });
    child.once(
      'exit',
      atExit(() => child.kill('SIGKILL')),
    );
    const client = new NeovimClient(child, place);
    await eventually('Neovim', () => client.evaluate('1').then(() => true));
    const given = { trusted, home: join(root, 'home'), gantryHome: join(root, 'gantry'), ...options };
    const command = [process.execPath, join(distDir, 'language-server.js'), '--stdio'];
    const answer = await client.ask<{ semanticTokensProvider?: { legend: SemanticTokensLegend } }>('start', {
      root,
      command,
      options: given,
    });
    client.legend = answer.semanticTokensProvider?.legend ?? client.legend;
    return client;
  }

  uri(path: string): string {
    return pathToFileURL(path).href;
  }

  /** The file has this text on the disk. */
  async open(path: string): Promise<string> {
    await this.ask('open', { path });
    return this.uri(path);
  }

  async insert(line: number, character: number, text: string): Promise<void> {
    await this.ask('insert', { line, character, lines: text.split('\n') });
  }

  async close(uri: string): Promise<void> {
    await this.ask('close', { uri });
  }

  async changedOnDisk(path: string): Promise<void> {
    const params = { changes: [{ uri: this.uri(path), type: FileChangeType.Changed }] };
    await this.ask('notify', { method: 'workspace/didChangeWatchedFiles', params });
  }

  problems(uri: string): Promise<readonly Diagnostic[]> {
    return this.ask('problems', { uri });
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    // It ends before it can answer.
    await this.evaluate("execute('qa!')").catch(() => undefined);
    await ended;
    await this.place.dispose();
  }

  private async ask<T>(what: string, given: object): Promise<T> {
    const path = join(this.place.path, 'asked.json');
    await writeFile(path, JSON.stringify({ what, ...given }));
    await this.evaluate(`luaeval("Gantry('${path}')")`);
    const { failed, answer } = JSON.parse(await readFile(path, 'utf8'));
    if (failed !== undefined) throw new Error(`Neovim: ${failed}`);
    return answer;
  }

  private async evaluate(expression: string): Promise<void> {
    await run('nvim', ['--server', join(this.place.path, 'socket'), '--remote-expr', expression]);
  }
}
