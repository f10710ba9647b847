import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { HookSystem } from '../../../extension/hooks/hook-system.ts';
import type { HookEvent } from '../../../extension/hooks/hook-types.ts';
import { noticedTimeOf } from '../../support/noticed-time.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { commandHook, group, listener, NEVER, prints, systemOf } from './hook-builders.ts';

const CALL = { name: 'write_file', args: { path: 'a' } };
const REQUEST = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], config: { topK: 1 } } as const;
const RESPONSE = { text: 'a', candidates: [{ content: { role: 'model', parts: ['a'] } }] };

describe('Hooks', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await tempFolder('hooks');
  });
  afterEach(() => folder.dispose());

  const FIRED: Record<HookEvent, [(hooks: HookSystem) => Promise<unknown>, object]> = {
    BeforeTool: [
      (hooks) => hooks.beforeTool({ ...CALL, server: 'db', originalName: 'first' }, NEVER),
      {
        tool_name: 'write_file',
        tool_input: { path: 'a' },
        mcp_context: { server_name: 'db', tool_name: 'write_file' },
        original_request_name: 'first',
      },
    ],
    AfterTool: [
      (hooks) => hooks.afterTool(CALL, { llmContent: 'done', returnDisplay: 'Done' }, NEVER),
      {
        tool_name: 'write_file',
        tool_input: { path: 'a' },
        tool_response: { llmContent: 'done', returnDisplay: 'Done' },
      },
    ],
    BeforeAgent: [(hooks) => hooks.beforeAgent('Hi', NEVER), { prompt: 'Hi' }],
    AfterAgent: [
      (hooks) => hooks.afterAgent({ prompt: 'Hi', response: '', again: true }, NEVER),
      { prompt: 'Hi', prompt_response: '[The model said nothing.]', stop_hook_active: true },
    ],
    BeforeModel: [(hooks) => hooks.beforeModel(REQUEST, NEVER), { llm_request: REQUEST }],
    AfterModel: [
      (hooks) => hooks.afterModel({ request: REQUEST, response: RESPONSE }, NEVER),
      { llm_request: REQUEST, llm_response: RESPONSE },
    ],
    BeforeToolSelection: [(hooks) => hooks.beforeToolSelection(REQUEST, NEVER), { llm_request: REQUEST }],
    SessionStart: [(hooks) => hooks.sessionStart('resume', NEVER), { source: 'resume' }],
    SessionEnd: [(hooks) => hooks.sessionEnd('exit', NEVER), { reason: 'exit' }],
    Notification: [
      (hooks) => hooks.notification('Allow?', { name: 'x' }, NEVER),
      { notification_type: 'ToolPermission', message: 'Allow?', details: { name: 'x' } },
    ],
    PreCompress: [(hooks) => hooks.preCompress('auto', NEVER), { trigger: 'auto' }],
  };
  for (const [event, [fire, fields]] of Object.entries(FIRED)) {
    it(`receive ${event} as JSON`, async () => {
      const hooks = systemOf([group(event as HookEvent, ['cat > seen.json'])], folder.path);
      await fire(hooks);
      assert.deepEqual(JSON.parse(await readFile(join(folder.path, 'seen.json'), 'utf8')), {
        session_id: 'session-1',
        transcript_path: join(folder.path, 'log.jsonl'),
        cwd: folder.path,
        hook_event_name: event,
        timestamp: '2026-01-01T00:00:00.000Z',
        ...fields,
      });
    });
  }

  const beforeTool = (...outputs: readonly object[]) =>
    systemOf(
      [
        group(
          'BeforeTool',
          outputs.map((output) => prints(output)),
        ),
      ],
      folder.path,
    ).beforeTool(CALL, NEVER);
  const deny = { decision: 'deny', reason: 'no' };
  const allow = { decision: 'allow' };
  const ask = { decision: 'ask', systemMessage: 'Sure?' };
  const stop = { continue: false, stopReason: 'enough' };
  const change = { hookSpecificOutput: { tool_input: { path: 'b' } } };
  const TABLE: readonly [string, readonly object[], object][] = [
    ['allow', [allow], { kind: 'go' }],
    ['nothing', [{}], { kind: 'go' }],
    ['deny', [deny], { kind: 'deny', reason: 'no' }],
    ['block', [{ decision: 'block' }], { kind: 'deny', reason: 'No reason was given.' }],
    ['deny, then allow', [deny, allow], { kind: 'deny', reason: 'no' }],
    ['allow, then deny', [allow, deny], { kind: 'deny', reason: 'no' }],
    ['deny and ask', [ask, deny, ask], { kind: 'deny', reason: 'no' }],
    ['deny and a change', [change, deny], { kind: 'deny', reason: 'no' }],
    ['stop and deny', [deny, stop, allow], { kind: 'stop', reason: 'enough' }],
    ['ask and allow', [ask, allow], { kind: 'go', ask: 'Sure?' }],
    ['a change', [change, allow], { kind: 'go', args: { path: 'b' } }],
    ['a change and ask', [change, ask], { kind: 'go', args: { path: 'b' }, ask: 'Sure?' }],
    ['arguments that are none', [{ hookSpecificOutput: { tool_input: ['x'] } }], { kind: 'go' }],
  ];
  for (const [what, outputs, expected] of TABLE) {
    it(`decide about a call together: ${what}`, async () => {
      assert.deepEqual(await beforeTool(...outputs), expected);
    });
  }

  it('deny also where they run one after the other and the last one allows', async () => {
    const commands = [deny, change, allow].map((output) => prints(output));
    const hooks = systemOf([group('BeforeTool', commands, { sequential: true })], folder.path);
    assert.deepEqual(await hooks.beforeTool(CALL, NEVER), { kind: 'deny', reason: 'no' });
  });

  it('that give no answer about a call leave it to the user', async () => {
    const heard = listener();
    const hooks = [commandHook('sleep 300', { timeoutMs: 400 }), commandHook('kill -9 $$'), commandHook(prints(allow))];
    const three = group('BeforeTool', [], { hooks });
    const outcome = await systemOf([three], folder.path, heard).beforeTool(CALL, NEVER);
    assert.equal(outcome.kind, 'go');
    assert.match(('ask' in outcome && outcome.ask) || '', /did not answer in 0\.4 s[\s\S]*was ended by SIGKILL/);
    assert.equal(heard.failures.length, 2);
  });

  it('that do not work change nothing elsewhere, and are reported once', async () => {
    const heard = listener();
    const hooks = systemOf([group('BeforeAgent', ['kill -9 $$']), group('AfterTool', ['exit 1'])], folder.path, heard);
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(await hooks.beforeAgent('Hi', NEVER), { kind: 'go' });
      assert.deepEqual(await hooks.afterTool(CALL, { llmContent: '', returnDisplay: '' }, NEVER), { kind: 'go' });
    }
    assert.deepEqual(heard.failures, [
      'The hook kill -9 $$ was ended by SIGKILL.',
      'The hook exit 1 ended with the exit code 1.',
    ]);
  });

  it('add context that cannot pretend to be anything else', async () => {
    const heard = listener();
    const context = { hookSpecificOutput: { additionalContext: '</hook_context> <b>' } };
    const hooks = systemOf([group('BeforeAgent', [prints(context), prints(context)], {})], folder.path, heard);
    assert.deepEqual(await hooks.beforeAgent('Hi', NEVER), {
      kind: 'go',
      context: '&lt;/hook_context&gt; &lt;b&gt;',
    });
    assert.deepEqual(heard.contexts, ['BeforeAgent: </hook_context> <b>'], 'the same command runs once');
  });

  it('ask for another call after a call', async () => {
    const tail = { hookSpecificOutput: { tailToolCallRequest: { name: 'lint', args: { fix: true } } } };
    const hooks = systemOf([group('AfterTool', [prints(tail)])], folder.path);
    const outcome = await hooks.afterTool(CALL, { llmContent: '', returnDisplay: '' }, NEVER);
    assert.deepEqual(outcome, { kind: 'go', tail: { name: 'lint', args: { fix: true } } });
  });

  it('are heard, unless they want to be quiet', async () => {
    const heard = listener();
    const commands = [
      prints({ systemMessage: 'Hello' }),
      prints({ systemMessage: 'Psst', suppressOutput: true }),
      'echo plain',
    ];
    await systemOf([group('SessionEnd', commands)], folder.path, heard).sessionEnd('exit', NEVER);
    assert.deepEqual(heard.messages, ['SessionEnd: Hello', 'SessionEnd: plain']);
  });

  it('answer in the place of the model', async () => {
    const llm_response = { candidates: [{ content: { role: 'model', parts: ['canned'] } }] };
    const blocks = prints({ decision: 'block', reason: 'offline', hookSpecificOutput: { llm_response } });
    const hooks = systemOf([group('BeforeModel', [blocks])], folder.path);
    assert.deepEqual(await hooks.beforeModel(REQUEST, NEVER), { kind: 'deny', reason: 'offline', texts: ['canned'] });
  });

  it('choose tools together, and refuse nothing by it', async () => {
    const config = (toolConfig: object) => prints({ decision: 'deny', hookSpecificOutput: { toolConfig } });
    const choose = (...configs: readonly object[]) =>
      systemOf([group('BeforeToolSelection', configs.map(config))], folder.path).beforeToolSelection(REQUEST, NEVER);
    assert.deepEqual(
      await choose({ mode: 'ANY', allowedFunctionNames: ['b', 'a'] }, { allowedFunctionNames: ['c', 5] }),
      {
        mode: 'ANY',
        allowedFunctionNames: ['a', 'b', 'c'],
      },
    );
    assert.deepEqual(await choose({ mode: 'NONE' }, { mode: 'ANY', allowedFunctionNames: ['a'] }), {
      mode: 'NONE',
      allowedFunctionNames: [],
    });
    const silent = systemOf([group('BeforeToolSelection', ['true'])], folder.path);
    assert.equal(await silent.beforeToolSelection(REQUEST, NEVER), undefined);
  });

  it('say goodbye in the time that is left', async () => {
    const heard = listener();
    const hooks = systemOf([group('SessionEnd', ['sleep 300'])], folder.path, heard);
    assert.ok((await noticedTimeOf(() => hooks.sessionEnd('exit', NEVER))) < 8000, 'it was waited for');
    assert.match(heard.failures[0] ?? '', /did not answer in 4 s/);
  });

  it('that nobody configured start nothing', async () => {
    const hooks = systemOf([], folder.path);
    assert.equal(hooks.has('BeforeTool'), false);
    assert.deepEqual(await hooks.beforeTool(CALL, NEVER), { kind: 'go' });
  });
});
