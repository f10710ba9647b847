import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { applyRestore, previewRestore, type RestoreOutcome } from '../../../../extension/sessions/files/file-rewind.ts';
import { type PlannedRestore, planRewind, planUndo } from '../../../../extension/sessions/files/restore-plan.ts';
import { createSessionFiles, type SessionFiles } from '../../../support/session-files.ts';
import { runs } from '../../../support/test-size.ts';

const NAMES = ['a.txt', 'b.txt', 'folder/c.txt'] as const;
type Name = (typeof NAMES)[number];

type Action =
  | { readonly do: 'agent' | 'other'; readonly name: Name; readonly removes: boolean; readonly text: string }
  | { readonly do: 'rewind' | 'undo'; readonly pick: number; readonly choice: Choice };

interface Choice {
  readonly overwrite: readonly Name[];
  /** A file that somebody else writes between the preview and the answer. */
  readonly meanwhile: Name | undefined;
}

/** What a file holds, and the edits of others that went into it. An absent file holds nothing of anybody. */
interface State {
  readonly content: string | undefined;
  readonly others: ReadonlySet<number>;
}
type Snapshot = Readonly<Record<Name, State>>;

interface Rewind {
  readonly id: string;
  /** The files it changed, as they were before. */
  readonly before: ReadonlyMap<Name, State>;
}

const name = fc.constantFrom(...NAMES);
const agentAction = fc.record({
  do: fc.constant('agent' as const),
  name,
  removes: fc.nat(3).map((number) => number === 0),
  text: fc.constantFrom('', 'x', 'y\n', 'x\ny\n', 'z'),
});
const otherAction = agentAction.map((action) => ({ ...action, do: 'other' as const }));
const restoringWhile = (meanwhile: fc.Arbitrary<Name | undefined>) =>
  fc.record({
    do: fc.constantFrom('rewind' as const, 'undo' as const),
    pick: fc.nat(),
    choice: fc.record({ overwrite: fc.subarray([...NAMES]), meanwhile }),
  });

/** Long enough for the same file to be changed, put back and changed again. */
const LENGTH = { minLength: 6, maxLength: 16 };
const alone = fc.array(
  fc.oneof({ weight: 3, arbitrary: agentAction }, { weight: 2, arbitrary: restoringWhile(fc.constant(undefined)) }),
  LENGTH,
);
const inCompany = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: agentAction },
    { weight: 2, arbitrary: otherAction },
    { weight: 3, arbitrary: restoringWhile(fc.option(name, { nil: undefined, freq: 4 })) },
  ),
  LENGTH,
);

/** Runs actions on real files, and knows by other means what has to come out. */
class Story {
  private number = 0;
  private now: Snapshot;
  /** How the session itself left each file. */
  private readonly left = new Map<Name, State>();
  /** For each recorded change: the file and what it was before. */
  private readonly history: { readonly name: Name; readonly before: State }[] = [];
  private readonly points: { readonly changes: number; readonly files: Snapshot }[] = [];
  private readonly rewinds: Rewind[] = [];

  constructor(
    private readonly session: SessionFiles,
    private readonly hasCompany: boolean,
  ) {
    const start: State = { content: 'start', others: new Set() };
    this.now = { 'a.txt': start, 'b.txt': start, 'folder/c.txt': { ...start, content: undefined } };
  }

  async run(action: Action): Promise<void> {
    this.points.push({ changes: this.session.log.length, files: this.now });
    if ('pick' in action) {
      await this[action.do](action.pick, action.choice);
    } else {
      await this[action.do](action.name, action.removes ? undefined : this.textOf(action.text));
    }
    assert.equal(this.session.log.length, this.history.length);
    for (const name of NAMES) assert.equal(await this.session.contentOf(name), this.now[name].content, name);
  }

  /** In company every content is new, so that a content tells who wrote it. */
  private textOf(text: string): string {
    this.number += 1;
    return this.hasCompany ? `${text}${this.number}` : text;
  }

  private async agent(name: Name, content: string | undefined): Promise<void> {
    const before = this.now[name];
    await this.session.agent(name, content);
    if (content !== before.content) this.wrote(name, content === undefined ? NOTHING : { ...before, content });
  }

  private async other(name: Name, content: string | undefined): Promise<void> {
    await this.session.other(name, content);
    const left = this.left.get(name);
    const others = left ? new Set([...left.others, this.number]) : new Set<number>();
    this.now = { ...this.now, [name]: content === undefined ? NOTHING : { content, others } };
  }

  private async rewind(pick: number, choice: Choice): Promise<void> {
    const point = this.points[pick % this.points.length];
    assert.ok(point);
    const id = `rewind-${this.session.log.length}-${this.rewinds.length}`;
    const targets = new Map<Name, State>();
    for (const change of this.history.slice(point.changes)) {
      if (!targets.has(change.name)) targets.set(change.name, change.before);
    }
    const before = await this.restore(planRewind(this.session.log, point.changes), targets, choice, id);
    this.rewinds.push({ id, before });
    if (!this.hasCompany) assert.deepEqual(contentsOf(this.now), contentsOf(point.files));
  }

  private async undo(pick: number, choice: Choice): Promise<void> {
    const rewind = this.rewinds[pick % this.rewinds.length];
    if (!rewind) return;
    const before = this.now;
    await this.restore(planUndo(this.session.log, rewind.id), rewind.before, choice, rewind.id);
    if (this.hasCompany) return;
    const expected = { ...before, ...Object.fromEntries(rewind.before) };
    assert.deepEqual(contentsOf(this.now), contentsOf(expected));
  }

  /** Returns the files it wrote, as they were before. */
  private async restore(
    plan: readonly PlannedRestore[],
    targets: ReadonlyMap<Name, State>,
    choice: Choice,
    id: string,
  ): Promise<Map<Name, State>> {
    const { blobs, files, changes, pathOf } = this.session;
    const steps = await previewRestore(plan, blobs, files);
    if (choice.meanwhile) await this.other(choice.meanwhile, this.textOf('meanwhile'));
    const choices = { overwrite: new Set(choice.overwrite.map(pathOf)) };
    const outcomes = await applyRestore(steps, choices, changes, blobs, id);
    const before = new Map<Name, State>();
    for (const name of NAMES) {
      const target = targets.get(name);
      const kind = this.kindOf(name, target, choice.overwrite.includes(name));
      assert.equal(outcomes.find(({ path }) => path === pathOf(name))?.kind, kind, name);
      if (!target || (kind !== 'restored' && kind !== 'removed')) continue;
      before.set(name, this.now[name]);
      this.wrote(name, target);
    }
    return before;
  }

  /** Undefined when there is nothing to put back. */
  private kindOf(name: Name, target: State | undefined, overwrite: boolean): RestoreOutcome['kind'] | undefined {
    const [now, left] = [this.now[name], this.left.get(name)];
    if (!target || target.content === left?.content) return undefined;
    if (now.content === target.content) return 'unchanged';
    const losesEdits = now.content !== left?.content || [...now.others].some((edit) => !target.others.has(edit));
    if (losesEdits && !overwrite) return 'kept';
    return target.content === undefined ? 'removed' : 'restored';
  }

  private wrote(name: Name, state: State): void {
    this.history.push({ name, before: this.now[name] });
    this.now = { ...this.now, [name]: state };
    this.left.set(name, state);
  }
}

const NOTHING: State = { content: undefined, others: new Set() };

const contentsOf = (files: Snapshot): (string | undefined)[] => NAMES.map((name) => files[name].content);

async function play(actions: readonly Action[], hasCompany: boolean): Promise<void> {
  const session = await createSessionFiles({ 'a.txt': 'start', 'b.txt': 'start' });
  try {
    const story = new Story(session, hasCompany);
    for (const action of actions) await story.run(action);
  } finally {
    await session.dispose();
  }
}

const RUNS = runs(12, 200);

describe('any number of rewinds and undos', function () {
  // Each of them writes real files.
  this.timeout(14_000 + RUNS * 500);

  it('bring back exactly what was there when only the agent changes files', async () => {
    await fc.assert(
      fc.asyncProperty(alone, (actions) => play(actions, false)),
      { numRuns: RUNS },
    );
  });

  it("never lose anybody else's edit that was not to be overwritten", async () => {
    await fc.assert(
      fc.asyncProperty(inCompany, (actions) => play(actions, true)),
      { numRuns: RUNS },
    );
  });
});
