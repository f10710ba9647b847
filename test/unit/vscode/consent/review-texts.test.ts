import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { WaitingHook } from '../../../../extension/hooks/hooks-in-force.ts';
import { agentLabel, agentsText, hookLabel, hooksText } from '../../../../extension/vscode/consent/review-texts.ts';
import { commandHook } from '../../hooks/hook-builders.ts';

function waiting(command: string, changes: Parameters<typeof commandHook>[1] = {}, matcher?: string): WaitingHook {
  const hook = commandHook(command, { source: 'project', file: '/work/.gemini/settings.json', line: 7, ...changes });
  return { hash: 'h', event: 'BeforeTool', ...(matcher !== undefined && { matcher }), hook };
}

describe('A hook that requires approval', () => {
  it('is shown whole, with when it runs, with what and from where', () => {
    const hook = waiting(
      'check.sh \\\n  --all',
      { name: 'guard', timeoutMs: 5000, env: { LD_PRELOAD: 'x.so' }, sandbox: false },
      'write',
    );
    const text = hooksText([hook, waiting('second')]);
    assert.deepEqual(text.split('\n').slice(3), [
      '1. BeforeTool (write) · guard',
      '   from /work/.gemini/settings.json:7',
      '   for at most 5 s',
      '   with LD_PRELOAD=x.so',
      '   outside the sandbox, with all your permissions',
      '',
      '      check.sh \\',
      '        --all',
      '',
      '2. BeforeTool',
      '   from /work/.gemini/settings.json:7',
      '   where there is a sandbox, it can change only the open folders',
      '',
      '      second',
      '',
    ]);
  });

  it('hides nothing, however long it is', () => {
    const command = `true ${' '.repeat(50_000)}; evil`;
    assert.ok(hooksText([waiting(command)]).includes(command));
  });

  it('has signs written out that would turn, hide or move what is read', () => {
    const text = hooksText([waiting('a\u202eb\u200bc\rd\u001b[2Ke\u2028f', { env: { A: 'x\u202ey' } })]);
    assert.match(text, /a\\u\{202e\}b\\u\{200b\}c\\u\{d\}d\\u\{1b\}\[2Ke\\u\{2028\}f/);
    assert.match(text, /A=x\\u\{202e\}y/);
  });

  it('is one line in the list', () => {
    assert.equal(hookLabel(waiting('x', { name: 'two\nlines' }), 3), '3. BeforeTool · two lines');
  });
});

const FILE = { path: '/w/.gemini/agents/a.md', text: '---\nname: a\n---\nBe \u202egood.', names: ['a', 'b'] };

describe('The agents of a folder, as they are shown for approval', () => {
  it('are there whole, with what hides written out', () => {
    const text = agentsText([FILE]);
    assert.match(text, /\n1\. a, b\n {3}from \/w\/\.gemini\/agents\/a\.md\n\n {6}---\n {6}name: a\n/);
    assert.match(text, /Be \\u\{202e\}good\./);
  });

  it('say which extension brings them along', () => {
    const text = agentsText([{ ...FILE, extension: 'issues' }]);
    assert.match(text, /\/a\.md\n {3}of the extension issues\n/);
    assert.doesNotMatch(text, /^This folder contains/);
  });

  it('have one line each in the list', () => {
    assert.equal(agentLabel({ ...FILE, names: ['a\nb'] }, 2), '2. a b');
  });
});
