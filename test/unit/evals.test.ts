import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { type Agent, gantryInProcess } from '../evals/agent.ts';
import { pageOf } from '../evals/page.ts';
import { geminiCliTranscript, piTranscript } from '../evals/peers.ts';
import {
  fingerprintOf,
  finishRecording,
  type Recording,
  readRecordings,
  recordingName,
  replayingAgent,
  requireSameInstruction,
  startRecording,
} from '../evals/recordings.ts';
import { totalsOf } from '../evals/report.ts';
import { checkUntouched, runTask, type TaskReport } from '../evals/run-task.ts';
import { clumsyAgent, perfectAgent, SCRIPTED_MODEL } from '../evals/scripted.ts';
import { isTest, type Task } from '../evals/task.ts';
import { TASKS } from '../evals/tasks/all-tasks.ts';
import { NO_TOKENS, repeatedCalls, type ToolUse } from '../evals/transcript.ts';
import { varyBy } from '../evals/vary.ts';
import { call, together } from '../support/gemini/script.ts';
import { startGeminiEndpoint } from '../support/gemini/server.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { isFullRun } from '../support/test-size.ts';

/**
 * They check in each way: by a program, the answer, Git, several prompts, and a behaviour. The recording below is that of
 * another task.
 */
const SAMPLE = ['stop-in-the-middle', 'commit-when-asked'];
/** A commit is a fault in the first one only. They have one prompt each, because the clumsy script takes the longest. */
const CLUMSY_SAMPLE = ['question-who-calls', 'commit-when-asked'];
/** Tasks are prepared and checked with bash. */
const onPosix = process.platform === 'win32' ? describe.skip : describe;
const SEEDS = isFullRun ? [1, 2] : [1];

onPosix('The evals', () => {
  // Loading the product takes longer than a task.
  before(() => import('../../extension/runtime/main.ts'));

  const among = (sample: readonly string[]): readonly Task[] =>
    TASKS.filter(({ id }) => isFullRun || sample.includes(id));

  for (const seed of SEEDS) {
    for (const task of among(SAMPLE)) {
      it(`count ${task.id} as solved for the perfect script only (seed ${seed})`, async function () {
        const untouched = await checkUntouched(task, seed);
        if (untouched.outcome === 'not run') this.skip();
        assert.equal(untouched.outcome, 'failed', 'the check passes before anything was done');
        const perfect = await runTask(task, seed, perfectAgent);
        assert.equal(perfect.outcome, 'solved', perfect.why);
        assert.deepEqual([perfect.rulesBroken, perfect.beyond, perfect.errors, perfect.repeated], [[], [], {}, 0]);
        assert.ok(
          Object.values(perfect.behaviours).every((held) => held),
          JSON.stringify(perfect.behaviours),
        );
      });
    }

    for (const task of among(CLUMSY_SAMPLE)) {
      it(`find every fault of the clumsy script in ${task.id} (seed ${seed})`, async function () {
        const clumsy = await runTask(task, seed, clumsyAgent);
        if (clumsy.outcome === 'not run') this.skip();
        assert.equal(clumsy.outcome, 'failed');
        assert.deepEqual(faultsOf(clumsy), faultsToFind(task, seed));
      });
    }
  }

  it('have tasks of all kinds, languages and levels, whose names differ', () => {
    assert.ok(TASKS.length >= 40);
    assert.equal(new Set(TASKS.map(({ id }) => id)).size, TASKS.length);
    const distinct = (of: (task: Task) => unknown): number => new Set(TASKS.map(of)).size;
    assert.deepEqual(
      [distinct(({ kind }) => kind), distinct(({ language }) => language), distinct(({ level }) => level)],
      [12, 6, 3],
    );
  });

  it('give the same variant for the same seed, and others for others', () => {
    const variant = (task: Task, seed: number): string => JSON.stringify(task.make(varyBy(seed)));
    const varied = TASKS.filter((task) => {
      assert.equal(variant(task, 3), variant(task, 3));
      return [1, 2, 3, 4, 5].some((seed) => variant(task, seed) !== variant(task, 6));
    });
    assert.ok(varied.length > TASKS.length / 2, `${varied.length} of ${TASKS.length}`);
  });
});

/** Some faults are none in some tasks: a commit was asked for, or tests belong to the task. */
function faultsToFind(task: Task, seed: number): readonly string[] {
  const { mayCommit, mayChange, files } = task.make(varyBy(seed));
  const test = Object.keys(files).find(isTest);
  return [
    ...(mayCommit ? [] : ['committed unasked']),
    ...(test !== undefined && !mayChange.includes(test) ? ['edited tests to pass'] : []),
    ...['beyond', 'errors', 'repeated'],
  ];
}

function faultsOf({ rulesBroken, beyond, errors, repeated }: TaskReport): readonly string[] {
  return [
    ...rulesBroken,
    ...(beyond.includes('NOTES.md') ? ['beyond'] : []),
    ...(Object.keys(errors).length >= 2 ? ['errors'] : []),
    ...(repeated > 0 ? ['repeated'] : []),
  ];
}

onPosix('An agent that Gantry does not hold back', () => {
  it('is reported if it leaves a process, or writes outside its folder', async () => {
    const [task] = TASKS;
    assert.ok(task);
    const agent: Agent = {
      name: 'careless',
      ask: async ({ copy: { folder, environment } }) => {
        await writeFile(join(folder, '../elsewhere.txt'), '');
        const child = spawn('sleep', ['300'], { env: environment, detached: true, stdio: 'ignore' });
        await once(child, 'spawn');
        child.unref();
        return { model: '', calls: [], answers: [''], steps: 1, tokens: NO_TOKENS };
      },
    };
    const { rulesBroken } = await runTask(task, 1, () => agent);
    const left = process.platform === 'linux' ? ['left processes running'] : [];
    assert.deepEqual(rulesBroken, [...left, 'wrote outside the folder']);
  });
});

onPosix('An agent that gets no answer at all', () => {
  it('has not failed: the task was not run', async () => {
    const [task] = TASKS;
    assert.ok(task);
    const { outcome, why } = await runTask(task, 1, () => gantryInProcess());
    assert.equal(outcome, 'not run');
    assert.match(why ?? '', /exit code 41: No model is configured/);
  });
});

onPosix('A recording of an eval', () => {
  const task = TASKS.find(({ id }) => id === 'run-named-check') as Task;
  let folder: TempFolder;
  let recorded: TaskReport;
  let recording: Recording;

  before(async () => {
    folder = await tempFolder('recordings');
    const name = recordingName(task, 1, SCRIPTED_MODEL);
    const endpoint = await startGeminiEndpoint();
    try {
      const flags = await startRecording(folder.path, name);
      const { solution } = task.make(varyBy(1));
      for (const { turns, answer } of solution) {
        for (const calls of turns) endpoint.reply(together(...calls.map((each) => call(each.name, { ...each.args }))));
        endpoint.reply(answer);
      }
      const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url, GEMINI_API_KEY: 'a-key-that-must-not-be-kept' };
      recorded = await runTask(task, 1, () => gantryInProcess({ model: SCRIPTED_MODEL, environment, flags }));
    } finally {
      await endpoint.dispose();
    }
    const fingerprint = await fingerprintOf(task, 1);
    recording = { name, task: task.id, seed: 1, model: SCRIPTED_MODEL, fingerprint, solved: true };
    await finishRecording(folder.path, recording);
  });
  after(() => folder.dispose());

  it('is replayed through the product, and holds no key', async () => {
    assert.equal(recorded.outcome, 'solved', recorded.why);
    for (const file of await readdir(folder.path)) {
      assert.doesNotMatch(await readFile(join(folder.path, file), 'utf8'), /a-key-that/);
    }
    assert.deepEqual(await readRecordings(folder.path), [recording]);
    const replayed = await runTask(task, 1, () => replayingAgent(folder.path, recording));
    assert.deepEqual([replayed.outcome, replayed.calls], ['solved', recorded.calls], replayed.why);
  });

  it('is refused once the model is told something else', async () => {
    requireSameInstruction(recording, await fingerprintOf(task, 1));
    assert.throws(
      () => requireSameInstruction(recording, '0123456789abcdef'),
      /was made with another instruction .* Record it again: npm run eval -- --record --only/,
    );
  });
});

describe('The report of evals', () => {
  const report: TaskReport = {
    task: 'a',
    kind: 'bug',
    level: 1,
    language: 'Python',
    agent: 'gantry',
    model: 'gemini-3.8-flash',
    seed: 1,
    outcome: 'solved',
    behaviours: { 'reads before it edits': true },
    rulesBroken: [],
    beyond: [],
    steps: 3,
    calls: 4,
    errors: { file_not_found: 1 },
    rejected: 0,
    repeated: 1,
    tokens: { input: 1000, output: 100, cached: 500 },
    cost: 0.01,
    milliseconds: 2000,
  };
  const failed: TaskReport = {
    ...report,
    seed: 2,
    outcome: 'failed',
    why: '<img src="https://evil.example/x.png">',
    rulesBroken: ['committed unasked'],
  };
  const notRun: TaskReport = { ...report, task: 'b', outcome: 'not run', why: 'go is missing' };

  it('counts what was solved, and omits what could not run', () => {
    const [total] = totalsOf([report, failed, notRun]);
    assert.ok(total);
    const { ran, solved, clean, notRun: skipped, alwaysSolved, sometimesSolved, calls, errors, rulesBroken } = total;
    assert.deepEqual([ran, solved, clean, skipped, alwaysSolved, sometimesSolved, calls], [2, 1, 1, 1, 0, 1, 8]);
    assert.deepEqual([errors, rulesBroken], [{ file_not_found: 2 }, { 'committed unasked': 1 }]);
    assert.deepEqual(total.behaviours, { 'reads before it edits': { held: 2, of: 2 } });
  });

  it('is a page that loads nothing, whatever an agent said', () => {
    const page = pageOf([report, failed, { ...report, agent: 'peer' }], 'today');
    assert.doesNotMatch(page, /<(?:img|script|link|iframe)\b|url\(|@import/);
    assert.match(page, /&lt;img src=/);
    assert.ok(page.split('<svg').length > 4);
  });
});

describe('What an agent did', () => {
  it('is read from the output of Gemini CLI', () => {
    const { calls, answers, steps, tokens } = geminiCliTranscript([
      { type: 'init', session_id: '1', model: 'm' },
      { type: 'message', role: 'user', content: 'Hi' },
      { type: 'message', role: 'assistant', content: 'I look.', delta: true },
      { type: 'tool_use', tool_name: 'read_file', tool_id: '1', parameters: { file_path: 'a' } },
      { type: 'tool_use', tool_name: 'replace', tool_id: '2', parameters: { file_path: 'a' } },
      { type: 'tool_result', tool_id: '1', status: 'success', output: '' },
      { type: 'tool_result', tool_id: '2', status: 'error', error: { type: 'edit_no_occurrence_found', message: '' } },
      { type: 'message', role: 'assistant', content: 'Do', delta: true },
      { type: 'message', role: 'assistant', content: 'ne.', delta: true },
      { type: 'result', status: 'success', stats: { input_tokens: 10, output_tokens: 2, cached: 5 } },
    ]);
    assert.deepEqual(
      calls.map(({ role, error }) => [role, error]),
      [
        ['read', undefined],
        ['edit', 'edit_no_occurrence_found'],
      ],
    );
    assert.deepEqual([answers, steps, tokens], [['Done.'], 2, { input: 10, output: 2, cached: 5 }]);
  });

  it('is read from the output of pi', () => {
    const usage = { input: 7, output: 2, cacheRead: 3 };
    const { calls, answers, steps, tokens } = piTranscript([
      { type: 'message_end', message: { role: 'assistant', content: [], usage } },
      { type: 'tool_execution_start', toolCallId: '1', toolName: 'bash', args: { command: 'ls' } },
      { type: 'tool_execution_end', toolCallId: '1', toolName: 'bash', isError: true },
      { type: 'message_end', message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], usage } },
    ]);
    assert.deepEqual(
      calls.map(({ role, error }) => [role, error]),
      [['shell', 'other']],
    );
    assert.deepEqual([answers, steps, tokens], [['Done.'], 2, { input: 20, output: 4, cached: 6 }]);
  });

  it('counts a call as repeated only if nothing happened in between', () => {
    const use = (name: string, role: ToolUse['role'], path: string): ToolUse => {
      return { name, role, args: { path }, prompt: 0, rejected: false };
    };
    const [look, change] = [use('read_file', 'read', 'a'), use('replace', 'edit', 'a')];
    assert.deepEqual(
      [
        [look, look],
        [look, change, look],
        [change, change],
      ].map(repeatedCalls),
      [1, 0, 1],
    );
  });
});
