import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PipeShell } from '../../extension/processes/shell/pipe-shell.ts';
import { findShellProgram } from '../../extension/processes/shell/shell-program.ts';
import { AgentService } from '../../extension/runtime/agent-service.ts';
import { NO_SANDBOX, Sandbox } from '../../extension/sandbox/sandbox.ts';
import { productTools } from '../../extension/tools/product-tools.ts';
import { message } from '../support/conversation.ts';
import { call } from '../support/gemini/script.ts';
import { startGeminiEndpoint } from '../support/gemini/server.ts';
import { repoRoot } from '../support/repo.ts';
import { SMALL_PROJECT, SMALL_TASK } from '../support/small-task.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import type { Figures } from './measurement.ts';
import { median } from './statistics.ts';

const COMMANDS = 15;

/**
 * Milliseconds of `true` without a sandbox, and in one, with finding out what it may reach. Undefined where there is no
 * sandbox.
 */
export async function measureSandbox(): Promise<Figures | undefined> {
  const environment = process.env;
  const sandbox = new Sandbox({ settings: () => NO_SANDBOX, environment: () => environment, secrets: () => [] });
  if ('missing' in (await sandbox.support())) return undefined;
  const shell = new PipeShell({ environment, program: findShellProgram() });
  const bare: number[] = [];
  const confined: number[] = [];
  for (let index = 0; index < COMMANDS; index++) {
    const first = performance.now();
    await shell.start('true', { folder: repoRoot }).ended;
    const second = performance.now();
    const confinement = await sandbox.confine({ roots: [repoRoot], readOnly: false });
    await shell.start('true', { folder: repoRoot, confinement }).ended;
    confined.push(performance.now() - second);
    bare.push(second - first);
  }
  await sandbox.dispose();
  const [without, within] = [median(bare), median(confined)];
  return { without, 'in the sandbox': within, more: within - without };
}

export interface TaskFigures {
  readonly commands: number;
  readonly questions: number;
  readonly ms: number;
}

/** A whole run of an agent whose every question is answered with yes at once. The last command needs the network. */
export async function measureTask(isConfined: boolean): Promise<TaskFigures> {
  const [endpoint, home, work] = await Promise.all([
    startGeminiEndpoint(),
    createTempWorkspace(),
    createTempWorkspace(SMALL_PROJECT),
  ]);
  const setUp = [['init', '-q'], 'config user.name a'.split(' '), 'config user.email a@b.example'.split(' ')];
  for (const args of setUp) execFileSync('git', args, { cwd: work.path });
  const environment = {
    GOOGLE_GEMINI_BASE_URL: endpoint.url,
    GEMINI_API_KEY: 'test-key',
    GEMINI_CLI_HOME: home.path,
    HOME: home.path,
    PATH: process.env['PATH'] ?? '',
  };
  const sandbox = { ...NO_SANDBOX, ...(isConfined && { mode: 'auto' as const, autoAllow: true }) };
  const host = testHost({ roots: [work.path], sessions: join(home.path, 'sessions'), environment, sandbox });
  const service = new AgentService(host, productTools);
  try {
    const commands = [...SMALL_TASK, 'git push'];
    for (const command of commands)
      endpoint.reply(
        call('run_shell_command', { command, ...(isConfined && command === 'git push' && { outside_sandbox: true }) }),
      );
    endpoint.reply('Done.');
    const session = await service.createSession();
    let questions = 0;
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      questions++;
      const { requestId } = event;
      void session.send({ elicitations: [{ requestId, action: 'accept', content: { decision: 'once' } }] });
    });
    const start = performance.now();
    for await (const event of session.sendStream(message('Add a sum'))) if (event.type === 'agent_end') break;
    return { commands: commands.length, questions, ms: performance.now() - start };
  } finally {
    await service.dispose();
    await Promise.all([endpoint.dispose(), home.dispose(), work.dispose()]);
  }
}
