import assert from 'node:assert/strict';
import { Features } from '../../extension/vscode/base/features.ts';
import { Composition } from '../../extension/vscode/composition.ts';
import { testHost } from '../support/test-host.ts';
import { extensionContext } from './extension-context.ts';
import { Ledger } from './ledger.ts';
import { WindowAnswers } from './window-answers.ts';

/** One feature throws while it is built. */
class OneBroken extends Features {
  readonly built: string[] = [];

  constructor(
    private readonly faulty: string | undefined,
    readonly logged: string[],
  ) {
    super({ ...testHost().log, error: (text) => void logged.push(text) });
  }

  protected override make<Built>(name: string, make: () => Built): Built {
    if (name === this.faulty) throw new Error('Broken on purpose');
    const built = make();
    this.built.push(name);
    return built;
  }
}

describe('A feature that cannot start', () => {
  let ledger: Ledger;
  const answers = new WindowAnswers();

  beforeEach(() => {
    ledger = new Ledger();
    answers.pressing(undefined);
  });
  afterEach(() => {
    ledger.restore();
    answers.restore();
  });

  async function start(broken?: string): Promise<{ built: readonly string[]; logged: readonly string[] }> {
    answers.said.splice(0);
    let features: OneBroken | undefined;
    const surface = new Composition(extensionContext(ledger), () => {
      features = new OneBroken(broken, []);
      return features;
    });
    await surface.shutDown();
    surface.dispose();
    assert.ok(features);
    return features;
  }

  it('is reported by its name, and takes only those with it that need it', async () => {
    const all = await start();
    assert.ok(all.built.length > 20);
    assert.deepEqual(all.logged, []);
    assert.deepEqual(answers.said, []);
    for (const broken of all.built) {
      const { built, logged } = await start(broken);
      assert.deepEqual(answers.said, [`Some parts of Gantry could not start: ${broken}. Everything else works.`]);
      assert.equal(logged[0], `${broken} could not start`);
      const off = all.built.filter((name) => name !== broken && !built.includes(name));
      assert.deepEqual(
        logged.slice(1),
        off.map((name) => `${name} is off, because it needs ${broken}`),
      );
      if (broken !== 'Commands') assert.ok(built.includes('Commands'), broken);
      assert.deepEqual(ledger.outstanding(), [], broken);
    }
  });
});
