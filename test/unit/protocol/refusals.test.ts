import assert from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import { after, before, describe, it } from 'mocha';
import type { ToolResponseEvent } from '../../../extension/protocol/agent/agent-event.ts';
import { finishedTool } from '../../../extension/protocol/transcript/tool-entry.ts';
import { ruleWords } from '../../../extension/protocol/words/rule-links.ts';
import german from '../../../l10n/bundle.l10n.de.json' with { type: 'json' };

describe('A no of the rules, in another language', () => {
  before(() => l10n.config({ contents: german }));
  after(() => l10n.config({ contents: {} }));

  it('names the rule in the words of the reader, and keeps its name', () => {
    assert.equal(ruleWords('Nein. Rule my-rules.toml:6 (user).'), 'Nein. Regel my-rules.toml:6 (Benutzer).');
    assert.equal(ruleWords('Nein. Rule a.toml:6 (extension my-x).'), 'Nein. Regel a.toml:6 (Erweiterung my-x).');
    assert.equal(ruleWords('`Rule x` bleibt.'), '`Rule x` bleibt.');
  });

  it('stands so on the card, whatever the model was told', () => {
    const event: ToolResponseEvent = {
      type: 'tool_response',
      id: 'e',
      streamId: 's',
      timestamp: '2026-01-01T00:00:00Z',
      requestId: 'c',
      name: 'run_shell_command',
      isError: true,
      content: [
        { type: 'text', text: 'run_shell_command is not allowed. Commands are refused. Rule my.toml:6 (user).' },
      ],
      display: {
        resultSummary: 'run_shell_command ist nicht erlaubt. Befehle werden abgelehnt. Rule my.toml:6 (user).',
      },
      data: { errorType: 'policy_violation', policy: { decision: 'deny', why: 'Rule my.toml:6 (user).' } },
    };
    const { summary, why } = finishedTool(event, undefined);
    assert.equal(summary, 'run_shell_command ist nicht erlaubt. Befehle werden abgelehnt. Regel my.toml:6 (Benutzer).');
    assert.equal(why, 'Regel my.toml:6 (Benutzer).');
    assert.match(
      finishedTool({ ...event, display: {} }, undefined).summary,
      /^run_shell_command is not/,
      'as older logs have it',
    );
  });
});
