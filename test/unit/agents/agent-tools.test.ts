import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LocalAgent } from '../../../extension/agents/agent-definition.ts';
import { agentInstruction } from '../../../extension/agents/agent-instruction.ts';
import { mayHave, onlyReads } from '../../../extension/agents/agent-tools.ts';
import { CODEBASE_INVESTIGATOR, GENERALIST } from '../../../extension/agents/built-in-agents.ts';
import type { Tool } from '../../../extension/ports/tool.ts';
import { noteOnMentioned } from '../../../extension/runtime/agents/session-agents.ts';
import { testTool } from '../../support/conversation.ts';

const tool = (name: string, kind: Tool['kind'], server?: string): Tool => ({
  ...testTool(name, kind, async () => ({ content: '' })),
  ...(server !== undefined && { server }),
});
const TOOLS = [
  tool('read_file', 'read'),
  tool('grep_search', 'search'),
  tool('write_file', 'edit'),
  tool('write_todos', 'think'),
  tool('invoke_agent', 'agent'),
  tool('update_topic', 'think'),
  tool('exit_plan_mode', 'plan'),
  tool('mcp_docs_find', 'other', 'docs'),
  tool('mcp_docs_more_find', 'other', 'docs_more'),
];

describe('The tools of an agent', () => {
  const cases: readonly [string, readonly string[] | undefined, readonly string[]][] = [
    [
      'all when none are named',
      undefined,
      ['read_file', 'grep_search', 'write_file', 'write_todos', 'invoke_agent', 'mcp_docs_find', 'mcp_docs_more_find'],
    ],
    ['none', [], []],
    ['those that are named', ['read_file', 'web_fetch'], ['read_file']],
    ['one by its old name', ['search_file_content'], ['grep_search']],
    ['all of servers', ['mcp_*'], ['mcp_docs_find', 'mcp_docs_more_find']],
    ['all of one server', ['mcp_docs_*'], ['mcp_docs_find']],
    ['one of a server', ['mcp_docs_more_find'], ['mcp_docs_more_find']],
    ['never what only the main agent does', ['update_topic', 'exit_plan_mode'], []],
  ];
  it('are only those that settings of a folder leave, each of them', () => {
    const agent: LocalAgent = { ...GENERALIST, tools: ['read_file', 'write_file', 'mcp_*'] };
    const left = (...within: (readonly string[])[]): string[] =>
      TOOLS.filter((each) => mayHave({ ...agent, within }, each)).map(({ name }) => name);
    assert.deepEqual(left(['read_file', 'grep_search', 'mcp_docs_*']), ['read_file', 'mcp_docs_find']);
    assert.deepEqual(left(['*'], ['mcp_*']), ['mcp_docs_find', 'mcp_docs_more_find']);
    assert.deepEqual(left(['read_file'], ['write_file']), []);
  });

  for (const [what, tools, expected] of cases) {
    it(`are ${what}`, () => {
      const agent: LocalAgent = { ...GENERALIST, ...(tools && { tools }) };
      assert.deepEqual(
        TOOLS.filter((each) => mayHave(agent, each)).map(({ name }) => name),
        expected,
      );
    });
  }

  it('say whether it only reads', () => {
    assert.equal(onlyReads(CODEBASE_INVESTIGATOR, TOOLS), true);
    assert.equal(onlyReads(GENERALIST, TOOLS), false);
    assert.equal(onlyReads({ ...CODEBASE_INVESTIGATOR, tools: ['read_file', 'write_todos'] }, TOOLS), true);
    assert.equal(onlyReads({ ...CODEBASE_INVESTIGATOR, tools: ['read_file', 'mcp_docs_find'] }, TOOLS), false);
    assert.equal(onlyReads({ ...CODEBASE_INVESTIGATOR, mcpServers: { docs: { command: 'docs' } } }, TOOLS), false);
  });
});

describe('What an agent is told', () => {
  const surroundings = {
    main: 'You are the main one.',
    roots: ['/work'],
    mode: 'default',
    values: { today: 'Monday' },
  } as const;

  it('is its definition, where it is and how to end', () => {
    const agent: LocalAgent = { ...CODEBASE_INVESTIGATOR, prompt: { text: `Today is \${today}. Run \${HOME}/x.` } };
    const text = agentInstruction(agent, surroundings);
    assert.match(text, /^Today is Monday\. Run \$\{HOME\}\/x\.\n\nThe workspace folders are:\n- \/work\n\n/);
    assert.match(text, /complete_task/);
    assert.doesNotMatch(text, /main one|Plan mode is on/);
    assert.match(agentInstruction(agent, { ...surroundings, mode: 'plan' }), /Plan mode is on: read and think/);
  });

  it('is what the main agent is told, for one that is like it', () => {
    assert.match(agentInstruction(GENERALIST, surroundings), /^You are the main one\.\n\nYou work for another agent/);
  });
});

describe('A message that names agents', () => {
  const agents = [{ name: 'scout' }, { name: 'scout-two' }, { name: 'smith' }];
  const cases: readonly [string, RegExp | undefined][] = [
    ['@scout look', /the agent scout\./],
    ['ask @scout-two, please', /the agent scout-two\./],
    ['(@smith)', /the agent smith\./],
    ['@smith and @scout', /these agents: scout, smith\./],
    ['@nobody', undefined],
    ['me@scout', undefined],
    ['@scout/readme.md', undefined],
    ['@@scout', undefined],
    ['scout', undefined],
  ];
  for (const [text, expected] of cases) {
    it(`${text} ${expected ? 'chooses' : 'chooses none'}`, () => {
      const note = noteOnMentioned(text, agents);
      if (expected) assert.match(note ?? '', expected);
      else assert.equal(note, undefined);
    });
  }

  it('may end a sentence with one', () => {
    assert.match(noteOnMentioned('Leave it to @scout.', agents) ?? '', /the agent scout\./);
  });
});
