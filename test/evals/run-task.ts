import { spawnSync } from 'node:child_process';
import type { Agent } from './agent.ts';
import { readsBeforeEdits } from './behaviours.ts';
import { createCopy } from './copy.ts';
import { costOf } from './cost.ts';
import { Result } from './result.ts';
import type { Kind, Language, Level, Task, TaskBody } from './task.ts';
import { joined, NO_TOKENS, repeatedCalls, type Tokens, type Transcript } from './transcript.ts';
import { varyBy } from './vary.ts';

export interface TaskReport {
  readonly task: string;
  readonly kind: Kind;
  readonly level: Level;
  readonly language: Language;
  readonly agent: string;
  readonly model: string;
  readonly seed: number;
  /** `solved`: the hidden check passes, and the agent behaved as the task demands. */
  readonly outcome: 'solved' | 'failed' | 'not run';
  /** Why it isn't solved. */
  readonly why?: string;
  readonly behaviours: Readonly<Record<string, boolean>>;
  readonly rulesBroken: readonly string[];
  readonly beyond: readonly string[];
  readonly steps: number;
  readonly calls: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly rejected: number;
  readonly repeated: number;
  readonly tokens: Tokens;
  /** In US dollars, by Google's list price; undefined if the price isn't known. */
  readonly cost?: number;
  readonly milliseconds: number;
}

/** An agent may depend on the variant, as scripts do. */
export type AgentFor = (body: TaskBody, task: Task) => Agent;

/** Gives the task to the agent, in a copy of its own, and reports everything about it. */
export async function runTask(task: Task, seed: number, agentFor: AgentFor): Promise<TaskReport> {
  const body = task.make(varyBy(seed));
  const agent = agentFor(body, task);
  const { id, kind, level, language } = task;
  const about = { task: id, kind, level, language, agent: agent.name, seed };
  const missing = task.needs?.find((program) => !isInstalled(program));
  if (missing !== undefined) return { ...about, ...NOTHING_DONE, outcome: 'not run', why: `${missing} is missing` };

  const copy = await createCopy(body);
  try {
    const begin = performance.now();
    let after = copy.start;
    const states = [after.digest];
    let transcript: Transcript | undefined;
    for (const [index, prompt] of body.prompts.entries()) {
      transcript = joined(transcript, await agent.ask({ copy, prompt, index }));
      after = await copy.state();
      states.push(after.digest);
      if (transcript.problem !== undefined) break;
    }
    if (!transcript) throw new Error(`The task ${id} has no prompt.`);
    const milliseconds = performance.now() - begin;
    // No key, no quota or no connection says nothing about the agent.
    if (transcript.problem !== undefined && transcript.steps === 0) {
      return { ...about, ...NOTHING_DONE, outcome: 'not run', why: transcript.problem };
    }
    const rulesBroken = await copy.brokenRules(after);
    const seen = { transcript, states, existing: new Set(copy.start.files.keys()), prompts: body.prompts };
    const behaviours = [readsBeforeEdits, ...(body.behaviours ?? [])].map(
      (behaviour) => [behaviour.name, behaviour.holds(seen)] as const,
    );
    const misbehaved = behaviours.slice(1).find(([, held]) => !held);
    const result = new Result(copy.folder, transcript, copy.environment);
    const fault = await body.check(result).then(() => undefined, messageOf);
    const why = fault ?? (misbehaved && `Not so: ${misbehaved[0]}.`);
    const cost = costOf(transcript.model, transcript.tokens);
    return {
      ...about,
      model: transcript.model,
      outcome: why === undefined ? 'solved' : 'failed',
      ...(why !== undefined && { why: transcript.problem === undefined ? why : `${transcript.problem}\n${why}` }),
      behaviours: Object.fromEntries(behaviours),
      rulesBroken,
      beyond: copy.beyond(after),
      steps: transcript.steps,
      calls: transcript.calls.length,
      errors: counted(transcript.calls.flatMap(({ error }) => error ?? [])),
      rejected: transcript.calls.filter(({ rejected }) => rejected).length,
      repeated: repeatedCalls(transcript.calls),
      tokens: transcript.tokens,
      ...(cost !== undefined && { cost }),
      milliseconds,
    };
  } finally {
    await copy.dispose();
  }
}

/** The report of a task before an agent touched it: its check must fail. */
export async function checkUntouched(task: Task, seed: number): Promise<TaskReport> {
  const untouched: Transcript = { model: '', calls: [], answers: ['Done.'], steps: 0, tokens: NO_TOKENS };
  return runTask(task, seed, () => ({ name: 'nobody', ask: () => Promise.resolve(untouched) }));
}

const NOTHING_DONE = {
  model: '',
  behaviours: {},
  rulesBroken: [],
  beyond: [],
  steps: 0,
  calls: 0,
  errors: {},
  rejected: 0,
  repeated: 0,
  tokens: NO_TOKENS,
  milliseconds: 0,
} as const;

const installed = new Map<string, boolean>();

function isInstalled(program: string): boolean {
  const known = installed.get(program) ?? spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0;
  installed.set(program, known);
  return known;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
