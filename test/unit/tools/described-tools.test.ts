import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createResourceTools } from '../../../extension/mcp/resource-tools.ts';
import type { Tool } from '../../../extension/ports/tool.ts';
import { describedTools } from '../../../extension/tools/described-tools.ts';
import { allTools } from '../../support/all-tools.ts';
import { parametersOf } from '../../support/docs/tools.ts';

describe('The texts of tools for those who write their names', () => {
  it('are those of the tools themselves, for every tool', () => {
    const resources = createResourceTools({ resources: [], readResource: () => Promise.reject(new Error('unused')) });
    assert.deepEqual(
      describedTools().map((text) => ({ ...text, description: anywhere(text.description) })),
      [...allTools(), ...resources].map(textOf),
    );
  });
});

function textOf(tool: Tool): ReturnType<typeof describedTools>[number] {
  const { name, displayName, kind, description } = tool;
  const parameters = parametersOf(tool).flatMap((parameter) => (/[.[]/.test(parameter.name) ? [] : parameter.name));
  return { name, displayName, kind, description: anywhere(description.split('\n\nAgents:')[0] ?? ''), parameters };
}

/** The build and the test may run on different systems. */
function anywhere(description: string): string {
  return description.replace('with PowerShell', 'with bash');
}
