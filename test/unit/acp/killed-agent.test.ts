import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it } from 'mocha';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import { plainText } from '../../../extension/protocol/agent/content-part.ts';
import { AcpEditor } from '../../support/acp-editor.ts';
import { jobModel, jobText, markIn, reportOf } from '../../support/crash/handed-jobs.ts';
import { type Random, seededRandom } from '../../support/crash/random.ts';
import { wholeLog } from '../../support/crash/whole-log.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { shareCompiled } from '../../support/headless.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { runs } from '../../support/test-size.ts';

const KILLS = runs(3, 60);

describe('An agent over ACP that is killed during a prompt', () => {
  let gemini: GeminiEndpoint;
  let home: TempFolder;
  let workspace: TempFolder;

  it('has a whole log, and session/load shows all that its client has seen', async function () {
    this.timeout(600_000);
    [gemini, home, workspace] = await Promise.all([startGeminiEndpoint(), tempFolder('home'), tempFolder('workspace')]);
    gemini.always(jobModel);
    shareCompiled(home.path);
    try {
      let editor = await start();
      for (let kill = 0; kill < KILLS; kill++) editor = await killedPrompt(editor, kill, seededRandom(500 + kill));
      assert.equal(await editor.quit(), 0);
      const marks = (await readFile(join(workspace.path, 'marks.txt'), 'utf8')).trimEnd().split('\n');
      assert.deepEqual(marks, [...new Set(marks)], 'A call ran twice.');
    } finally {
      await Promise.all([gemini.dispose(), home.dispose(), workspace.dispose()]);
    }
  });

  function start(): Promise<AcpEditor> {
    const environment = { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: gemini.url, GANTRY_HOME: home.path };
    return AcpEditor.start({ environment, flags: ['--trust', '--sandbox', 'off', '--model', 'gemini-2.5-flash'] });
  }

  /** Returns the editor that was started after the kill. */
  async function killedPrompt(first: AcpEditor, number: number, random: Random): Promise<AcpEditor> {
    const point = { updates: random.below(9), ms: random.below(40) };
    const id = await first.newSession(workspace.path);
    const answer = first.prompt(id, jobText(number, 'back')).catch(() => undefined);
    const reached = first.until(() => (first.updates.get(id)?.length ?? 0) >= point.updates);
    await Promise.race([reached, answer]);
    // Not a wait for something, but the point in time at which it is killed.
    await delay(point.ms);
    first.child.kill('SIGKILL');
    await first.ended;
    const events = await logOf(id);
    const second = await start();
    // A session may not be stored yet if its client has seen nothing.
    if (!events) {
      assert.deepEqual(seenIn(first, id), { text: '', calls: [] });
      return second;
    }
    await second.agent.request('session/load', { sessionId: id, cwd: workspace.path, mcpServers: [] });
    const [seen, shown] = [seenIn(first, id), seenIn(second, id)];
    assert.ok(shown.text.startsWith(seen.text), `"${seen.text}" was seen, and "${shown.text}" is shown.`);
    for (const call of seen.calls) assert.ok(shown.calls.includes(call), `${call} was seen and is not shown.`);
    assert.equal(shown.text, agentText(events), 'What is shown is what is in the log.');
    if (!shown.text.includes(reportOf(number, 'back'))) await second.prompt(id, 'Go on.');
    assert.ok(second.said(id).includes(reportOf(number, 'back')), second.said(id));
    await checkCalls(id);
    await second.agent.request('session/close', { sessionId: id });
    return second;
  }

  /** A call that has succeeded has run, and each has one result. */
  async function checkCalls(id: string): Promise<void> {
    const events = (await logOf(id)) ?? [];
    const marks = await readFile(join(workspace.path, 'marks.txt'), 'utf8').catch(() => '');
    const results = events.flatMap((event) => (event.type === 'tool_response' ? event : []));
    assert.equal(new Set(results.map(({ requestId }) => requestId)).size, results.length, 'A call has two results.');
    for (const event of events) {
      if (event.type !== 'tool_request') continue;
      const result = results.find(({ requestId }) => requestId === event.requestId);
      const mark = markIn(String(event.args['command'])) ?? '';
      if (result && !result.isError) assert.ok(marks.includes(mark), `${mark} has not run.`);
    }
  }

  /** Undefined if nothing is stored. Fails if the log is not whole. */
  async function logOf(id: string): Promise<AgentEvent[] | undefined> {
    const folder = join(home.path, 'sessions');
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    const name = names.find((path) => path.includes(id) && path.endsWith('log.jsonl'));
    return name === undefined ? undefined : wholeLog(join(folder, name));
  }
});

/** What a client was shown: the answer, and the calls with how they ended. */
function seenIn(editor: AcpEditor, id: string): { readonly text: string; readonly calls: readonly string[] } {
  const ended = editor.of(id, 'tool_call_update').filter(({ status }) => status === 'completed');
  const begun = editor.of(id, 'tool_call').map(({ toolCallId }) => `${toolCallId} was called`);
  const completed = [...ended, ...editor.of(id, 'tool_call').filter(({ status }) => status === 'completed')];
  return {
    text: editor.said(id),
    calls: [...begun, ...completed.map(({ toolCallId }) => `${toolCallId} has ended`)],
  };
}

function agentText(events: readonly AgentEvent[]): string {
  const said = events.flatMap((event) => (event.type === 'message' && event.role === 'agent' ? event.content : []));
  return said.map((part) => (part.type === 'text' ? plainText([part]) : '')).join('');
}
