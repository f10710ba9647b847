import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { productTools } from '../../../extension/tools/product-tools.ts';
import { ToolRegistry } from '../../../extension/tools/registry.ts';
import { toolParts } from '../../support/tool-parts.ts';

describe('The registry of tools', () => {
  const registry = new ToolRegistry(productTools(toolParts()));

  it('knows grep_search by the name it had before, and does not offer that one', () => {
    assert.equal(registry.get('search_file_content')?.name, 'grep_search');
    const offered = registry.offered({ roots: () => [], isTrusted: () => false }, 'default').map(({ name }) => name);
    assert.ok(offered.includes('grep_search'));
    assert.ok(!offered.includes('search_file_content'));
  });

  it('offers in plan mode what looks, asks and writes plans, and the way out of it', () => {
    const trusted = { roots: () => [], isTrusted: () => true };
    const offered = (mode: 'plan' | 'default') => registry.offered(trusted, mode).map(({ name }) => name);
    for (const name of ['read_file', 'write_file', 'ask_user', 'exit_plan_mode'])
      assert.ok(offered('plan').includes(name));
    for (const name of ['run_shell_command', 'enter_plan_mode']) assert.ok(!offered('plan').includes(name));
    assert.ok(offered('default').includes('enter_plan_mode'));
    assert.ok(!offered('default').includes('exit_plan_mode'));
  });

  it('offers a tool as soon as it is useful, and the same list until something changes', () => {
    const trusted = { roots: () => [], isTrusted: () => true };
    const [tool] = registry.all;
    let isUseful = false;
    const one = new ToolRegistry(tool ? [{ ...tool, isUseful: () => isUseful }] : []);
    assert.deepEqual(one.offered(trusted, 'default'), []);
    isUseful = true;
    assert.equal(one.offered(trusted, 'default').length, 1);
    assert.equal(one.offered(trusted, 'default'), one.offered(trusted, 'default'));
  });

  it('does not know other names', () => {
    assert.equal(registry.get('search'), undefined);
    assert.equal(registry.get(''), undefined);
  });
});
