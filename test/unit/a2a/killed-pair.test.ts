import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it } from 'mocha';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import { plainText } from '../../../extension/protocol/agent/content-part.ts';
import type { StreamJson, TaskJson } from '../../support/a2a-in-process.ts';
import { PairedGantry } from '../../support/crash/gantry-pair.ts';
import { jobModel, jobText, markIn, reportOf } from '../../support/crash/handed-jobs.ts';
import { type Random, seededRandom } from '../../support/crash/random.ts';
import { startGeminiEndpoint } from '../../support/gemini/server.ts';
import { eventually } from '../../support/poll.ts';
import { runs } from '../../support/test-size.ts';

const KILLS = runs(4, 100);
/** Pairs that work side by side, because they mostly wait. */
const PAIRS = runs(1, 2);

/** What clients have been told. */
interface Told {
  /** By the ID of the event, who has told it. */
  readonly events: Map<string, PairedGantry>;
  readonly tasks: { readonly id: string; readonly by: PairedGantry; readonly number: number }[];
}

describe('Two Gantrys that hand work to each other', () => {
  it('lose no acknowledged record and run no call twice, when either is killed', async function () {
    this.timeout(1_800_000);
    // All of them, so that no server is left when one pair fails.
    const pairs = await Promise.allSettled(
      Array.from({ length: PAIRS }, (_, pair) => killInTurn(1_000 * (pair + 1), KILLS / PAIRS)),
    );
    const failed = pairs.find((pair) => pair.status === 'rejected');
    if (failed) throw failed.reason;
    assert.equal(
      pairs.reduce((sum, pair) => sum + (pair.status === 'fulfilled' ? pair.value : 0), 0),
      KILLS,
    );
  });
});

async function killInTurn(seed: number, wanted: number): Promise<number> {
  const endpoint = await startGeminiEndpoint();
  endpoint.always(jobModel);
  const [one, other] = [
    await PairedGantry.create('one', endpoint.url),
    await PairedGantry.create('other', endpoint.url),
  ];
  const told: Told = { events: new Map(), tasks: [] };
  try {
    await Promise.all([one.know(other), other.know(one)]);
    await Promise.all([one.start(), other.start()]);
    for (let number = 0; number < wanted; number++) {
      const random = seededRandom(seed + number);
      const [leader, helper] = random.below(2) === 0 ? [one, other] : [other, one];
      const victim = random.below(2) === 0 ? leader : helper;
      await killedJob(number, leader, victim, random, told);
    }
    for (const { id, by, number } of told.tasks) await checkTask(by, id, number);
    for (const gantry of [one, other]) await settled(gantry);
    await Promise.all([one.stop(), other.stop()]);
    await check(one, other, told, wanted);
    return wanted;
  } finally {
    await Promise.all([one.dispose(), other.dispose()]);
    await endpoint.dispose();
  }
}

/** Gives the leader a job, kills one of them in the middle, and leads the job to its end. */
async function killedJob(
  number: number,
  leader: PairedGantry,
  victim: PairedGantry,
  random: Random,
  told: Told,
): Promise<void> {
  const point = { events: random.below(9), ms: random.below(120) };
  let killing: Promise<void> | undefined;
  const kill = async (): Promise<void> => {
    // Not a wait for something, but the point in time at which it is killed.
    await delay(point.ms);
    await victim.kill();
    await victim.start();
  };
  let seen = 0;
  let task: TaskJson | undefined;
  let text = '';
  if (point.events === 0) killing = kill();
  for await (const event of leader.stream('SendStreamingMessage', {
    message: messageOf({ text: jobText(number, 'lead') }),
  })) {
    task ??= event.task;
    text = textAfter(text, event);
    const id = eventIdOf(event);
    if (id !== undefined) told.events.set(id, leader);
    if (++seen === point.events) killing = kill();
  }
  await (killing ?? kill());
  // Nothing was acknowledged, so nothing is promised.
  if (!task) return;
  const { id, contextId } = task;
  told.tasks.push({ id, by: leader, number });
  const now = await leader.result<TaskJson>('GetTask', { id });
  assert.ok(answerIn(now).startsWith(text), `Job ${number}: "${text}" was said, and "${answerIn(now)}" is stored`);
  await leadToEnd(leader, now.id, contextId, number);
}

async function leadToEnd(leader: PairedGantry, taskId: string, contextId: string, number: number): Promise<void> {
  let id = taskId;
  for (;;) {
    const { status, metadata } = await leader.result<TaskJson>('GetTask', { id });
    if (status.state === 'TASK_STATE_COMPLETED') return;
    if (status.state === 'TASK_STATE_FAILED') {
      assert.equal(metadata?.['code'], 'INTERRUPTED', `Job ${number}: ${JSON.stringify(status)}`);
      const message = messageOf({ data: { action: 'continue' } }, contextId);
      id = (await leader.result<{ task: TaskJson }>('SendMessage', { message })).task.id;
    } else {
      for await (const _ of leader.stream('SubscribeToTask', { id }));
    }
  }
}

async function checkTask(gantry: PairedGantry, id: string, number: number): Promise<void> {
  const { status, metadata } = await gantry.result<TaskJson>('GetTask', { id });
  const isOver = status.state === 'TASK_STATE_COMPLETED' || metadata?.['code'] === 'INTERRUPTED';
  assert.ok(isOver, `Job ${number} is ${status.state}`);
}

/** Resolves when a server works on nothing. */
function settled(gantry: PairedGantry): Promise<unknown> {
  return eventually(
    `${gantry.name} has nothing to do`,
    async () => {
      const { tasks = [] } = await gantry.result<{ tasks?: TaskJson[] }>('ListTasks', { pageSize: 100 });
      return tasks.every(({ status }) => /COMPLETED|FAILED/.test(status.state));
    },
    { timeoutMs: 60_000, intervalMs: 200 },
  );
}

async function check(one: PairedGantry, other: PairedGantry, told: Told, jobs: number): Promise<void> {
  const logs = new Map([one, other].map((gantry) => [gantry, gantry.logs()]));
  const got: string[] = [];
  for (const gantry of [one, other]) {
    const sessions = (await logs.get(gantry)) ?? [];
    const kept = new Set(sessions.flat().map(({ id }) => id));
    for (const [id, by] of told.events) if (by === gantry) assert.ok(kept.has(id), `${id} was told and is not kept.`);
    const marks = await gantry.marks();
    assert.deepEqual(marks, [...new Set(marks)], 'A call ran twice.');
    for (const mark of sessions.flatMap(succeededMarks)) assert.ok(marks.includes(mark), `${mark} has not run.`);
    // The threads of remote agents have the same text, but they do not work on it here.
    const own = sessions.filter(([first]) => first?.type === 'initialize' && first.agentId === 'gantry');
    got.push(...own.flatMap(userTexts));
  }
  const handed = got.filter((text) => /^job/.test(text));
  assert.deepEqual(handed, [...new Set(handed)], 'A job was handed over twice.');
  const all = (await Promise.all(logs.values())).flat();
  for (const { number } of told.tasks) {
    const said = all
      .filter((events) => userTexts(events).includes(jobText(number, 'lead')))
      .flatMap(agentTexts)
      .join('');
    assert.ok(said.includes(reportOf(number, 'lead')), `Job ${number} of ${jobs}: ${said}`);
    // What a leader got as the report of its helper is in the log of the helper.
    const reports = [reportOf(number, 'help'), reportOf(number, 'back')];
    for (const report of reports.filter((text) => all.some((events) => resultTexts(events).includes(text)))) {
      assert.ok(
        all.some((events) => isWorkedOnHere(events) && agentTexts(events).join('').includes(report)),
        report,
      );
    }
  }
}

function isWorkedOnHere([first]: readonly AgentEvent[]): boolean {
  return first?.type === 'initialize' && first.agentId === 'gantry';
}

function succeededMarks(events: readonly AgentEvent[]): string[] {
  const commands = new Map(
    events.flatMap((event) => (event.type === 'tool_request' ? [[event.requestId, event.args['command']]] : [])),
  );
  const answered = events.flatMap((event) => (event.type === 'tool_response' ? event : []));
  assert.equal(new Set(answered.map(({ requestId }) => requestId)).size, answered.length, 'A call has two results.');
  return answered.flatMap(({ requestId, isError }) => (isError ? [] : (markIn(String(commands.get(requestId))) ?? [])));
}

function userTexts(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'message' && event.role === 'user' ? plainText(event.content) : []));
}

function agentTexts(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === 'message' && event.role === 'agent' ? plainText(event.content) : [],
  );
}

function resultTexts(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.type === 'tool_response' ? plainText(event.content ?? []) : '')).join('\n');
}

function messageOf(part: object, contextId = ''): object {
  return { messageId: randomUUID(), role: 'ROLE_USER', parts: [part], ...(contextId !== '' && { contextId }) };
}

function textAfter(before: string, { artifactUpdate, task }: StreamJson): string {
  if (task) return answerIn(task);
  if (!artifactUpdate) return before;
  const text = artifactUpdate.artifact.parts.map((part) => part.text ?? '').join('');
  return artifactUpdate.append ? before + text : text;
}

function answerIn({ artifacts = [] }: TaskJson): string {
  return artifacts.flatMap(({ parts }) => parts.map(({ text = '' }) => text)).join('');
}

function eventIdOf({ task, statusUpdate, artifactUpdate }: StreamJson): string | undefined {
  const id = (task ?? statusUpdate ?? artifactUpdate)?.metadata?.['eventId'];
  return typeof id === 'string' ? id : undefined;
}
