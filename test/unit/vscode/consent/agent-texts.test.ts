import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { agentLabel, agentsText } from '../../../../extension/vscode/consent/agent-texts.ts';

const FILE = { path: '/w/.gemini/agents/a.md', text: '---\nname: a\n---\nBe \u202egood.', names: ['a', 'b'] };

describe('The agents of a folder, as they are shown for a yes', () => {
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
