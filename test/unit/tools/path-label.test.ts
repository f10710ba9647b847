import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'mocha';
import { unverifiedPathLabel } from '../../../extension/tools/path-label.ts';

describe('How people see a file', () => {
  const [app, lib, other] = [resolve('/one/app'), resolve('/one/lib'), resolve('/two/App')];
  const file = resolve(app, 'src/a.ts');

  it('is its path in the only folder', () => assert.equal(unverifiedPathLabel(file, [app]), 'src/a.ts'));

  it('is after the name of its folder when there are several', () => {
    assert.equal(unverifiedPathLabel(file, [app, lib]), 'app/src/a.ts');
  });

  it('is its full path when another folder has the same name', () => {
    const roots = [app, lib, other];
    assert.equal(unverifiedPathLabel(file, roots), file);
    assert.equal(unverifiedPathLabel(app, roots), app);
    assert.equal(unverifiedPathLabel(resolve(lib, 'b.ts'), roots), 'lib/b.ts');
  });
});
