import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RememberedSecrets } from '../../../../extension/vscode/auth/remembered-secrets.ts';

describe('Secrets that are read often', () => {
  it('are asked for once until VS Code says that they changed, also while they are being read', async () => {
    const answers = [Promise.resolve('old'), Promise.reject(new Error('locked')), Promise.resolve('new')];
    const asked: string[] = [];
    let change: (event: { readonly key: string }) => void = () => undefined;
    const secrets = new RememberedSecrets({
      get: (key) => {
        asked.push(key);
        return answers.shift() ?? Promise.resolve(undefined);
      },
      onDidChange: (listener) => {
        change = listener;
        return { dispose: () => undefined };
      },
    });

    assert.deepEqual(await Promise.all([secrets.get('a'), secrets.get('a')]), ['old', 'old']);
    assert.equal(await secrets.get('a'), 'old');
    change({ key: 'b' });
    assert.equal(asked.length, 1);

    change({ key: 'a' });
    await assert.rejects(secrets.get('a'), /locked/);
    assert.equal(await secrets.get('a'), 'new', 'a failure is not kept');

    change({ key: 'a' });
    const reading = secrets.get('a');
    change({ key: 'a' });
    assert.equal(await reading, undefined);
    await secrets.get('a');
    assert.equal(asked.length, 5, 'what was being read may be from before the change');
  });
});
