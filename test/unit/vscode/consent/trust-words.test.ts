import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { NO_CUSTOMIZATIONS } from '../../../../extension/runtime/knowledge/folder-customizations.ts';
import { trustNews } from '../../../../extension/vscode/consent/trust-words.ts';

describe('What trust has changed', () => {
  it('is that edits and commands work, in a folder that brings nothing along', () => {
    assert.deepEqual(trustNews(NO_CUSTOMIZATIONS, false), {
      lines: ['Gantry can edit files and run commands, and asks first.'],
      actions: [],
    });
  });

  it('is not yet true for a run that is on', () => {
    assert.match(trustNews(NO_CUSTOMIZATIONS, true).lines[0] ?? '', /The current run stays read-only/);
  });

  it('names what is in use, what requires approval, and what is not used', () => {
    const finds = {
      policies: [
        { name: 'team.toml', waitingRules: 2 },
        { name: 'deny.toml', waitingRules: 0 },
      ],
      hooks: { accepted: 1, waiting: ['lint at BeforeTool', 'one at AfterTool'] },
      mcpServers: { accepted: ['docs'], waiting: ['jira', 'wiki'] },
      agents: { accepted: 2, waiting: ['planner'] },
      skills: ['pdf'],
      commands: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
      instructions: ['GEMINI.md'],
    };
    const { lines, actions } = trustNews(finds, false);
    assert.deepEqual(lines.slice(1), [
      'In use: 2 policy files (team.toml, deny.toml); 1 hook that you approved earlier; 1 MCP server (docs); 2 agents that you approved earlier; ' +
        '1 skill, which requires approval when it is used (pdf); 7 commands (a, b, c, d, e, 2 more); GEMINI.md.',
      'Off until you approve them: rules that allow more, in team.toml; 2 hooks (lint at BeforeTool, one at AfterTool); 2 MCP servers (jira, wiki); 1 agent (planner).',
    ]);
    assert.deepEqual(actions, ['review-hooks', 'review-mcp-servers', 'review-agents', 'open-policies']);
  });
});
