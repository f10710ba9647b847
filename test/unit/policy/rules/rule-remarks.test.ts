import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { gateRefusal } from '../../../../extension/policy/gates.ts';
import { PolicyReader } from '../../../../extension/policy/rules/read-rules.ts';
import { REFUSED_IN_PLANS } from '../../../../extension/policy/rules/rule-remarks.ts';
import { allTools } from '../../../support/all-tools.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

describe('A rule for plan mode alone', () => {
  let folder: TempFolder;
  before(async () => {
    folder = await tempFolder('plans');
  });
  after(() => folder.dispose());

  it('is said to change nothing exactly if a gate refuses every call of its tools', async () => {
    const workspace = { roots: () => [folder.path], isTrusted: () => true };
    const surroundings = { workspace, mode: 'plan', plansFolder: folder.path } as const;
    const plan = { path: join(folder.path, 'plan.md'), access: 'write' } as const;
    const refused: string[] = [];
    for (const tool of allTools()) {
      // A command may run in plan mode where a sandbox confines it.
      if (tool.kind === 'execute') continue;
      if (await gateRefusal(tool, [plan], surroundings)) refused.push(tool.name);
    }
    assert.deepEqual(refused.sort(), [...REFUSED_IN_PLANS].sort());
    for (const { name } of allTools()) {
      const text = `[[rule]]\ntoolName = "${name}"\ndecision = "deny"\npriority = 1\nmodes = ["plan"]\n`;
      const { parts } = new PolicyReader('/mine.toml', 'user').read(text);
      assert.equal(parts.flatMap(({ remarks }) => remarks).length, REFUSED_IN_PLANS.has(name) ? 1 : 0, name);
    }
  });
});
