import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RecentCalls } from '../../../../extension/policy/audit/recent-calls.ts';

describe('The commands that were asked about lately', () => {
  const of = (...commands: readonly string[]): string[] => {
    const calls = new RecentCalls();
    for (const [at, command] of commands.entries()) {
      calls.add({ at, tool: 'run_shell_command', decision: 'ask_user', args: { command } });
    }
    return calls.commands().map(({ prefix, count }) => `${count} ${prefix}`);
  };

  it('are named by their programs and what these are to do, the most frequent ones first', () => {
    assert.deepEqual(
      of('npm run lint -- --fix', 'git push origin main', 'ls -la src', 'npm run lint', './gradlew build'),
      ['2 npm run lint', '1 ./gradlew build', '1 ls', '1 git push'],
    );
  });

  it('are all commands of a line, unless it takes a parser to tell them', () => {
    assert.deepEqual(of('git add . && git commit -q; make | tee', 'echo "$(rm -rf /)"', 'cat <(x)', ''), [
      '1 git add',
      '1 git commit',
      '1 make',
      '1 tee',
    ]);
  });

  it('have no commands that ran or were refused without a question, and tools only of servers', () => {
    const calls = new RecentCalls();
    calls.add({ at: 1, tool: 'run_shell_command', decision: 'allow', args: { command: 'npm test' } });
    calls.add({ at: 1, tool: 'mcp_docs_search', decision: 'deny', args: {} });
    assert.deepEqual([calls.commands(), [...calls.serverTools]], [[], ['mcp_docs_search']]);
  });
});
