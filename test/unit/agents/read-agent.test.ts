import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readAgents } from '../../../extension/agents/read-agent.ts';

const FILE = '/home/me/.gemini/agents/scout.md';

function definition(...lines: readonly string[]): string {
  return ['---', 'name: scout', 'description: Looks around', ...lines, '---', '', 'You look around.', ''].join('\n');
}

/** Such as "4 tools.0: There is no tool …". */
function problems(text: string): string[] {
  return readAgents(text, FILE).problems.map(({ line, key, text: what }) => `${line} ${key ?? '-'}: ${what}`);
}

describe('The definition of an agent', () => {
  it('needs a name and a description; the rest is as in Gemini CLI', () => {
    assert.deepEqual(readAgents(definition(), FILE), {
      agents: [
        {
          kind: 'local',
          name: 'scout',
          description: 'Looks around',
          mcpServers: {},
          model: 'inherit',
          temperature: 1,
          maxTurns: 30,
          timeoutMins: 10,
          prompt: { text: 'You look around.' },
        },
      ],
      names: [{ line: 2, column: 7, endLine: 2, endColumn: 12 }],
      problems: [],
    });
  });

  it('takes every key', () => {
    const { agents, problems: wrong } = readAgents(
      definition(
        'kind: local',
        'display_name: The Scout',
        'tools: [read_file, "mcp_*", mcp_docs_*, mcp_docs_find, "*", search_file_content]',
        'mcp_servers:',
        '  docs: { command: docs, args: [-x], env: { A: b }, cwd: /d, timeout: 5, trust: true, include_tools: [a] }',
        '  web: { url: "https://x.test", type: sse, headers: { H: v }, auth: { type: google-credentials } }',
        'model: flash',
        'temperature: 0.2',
        'max_turns: 3',
        'timeout_mins: 4',
      ),
      FILE,
    );
    assert.deepEqual(wrong, []);
    const [agent] = agents;
    assert.ok(agent?.kind === 'local');
    const { displayName, tools, model, temperature, maxTurns, timeoutMins, mcpServers } = agent;
    assert.deepEqual(
      { displayName, tools: tools?.length, model, temperature, maxTurns, timeoutMins },
      { displayName: 'The Scout', tools: 6, model: 'flash', temperature: 0.2, maxTurns: 3, timeoutMins: 4 },
    );
    assert.deepEqual(Object.keys(mcpServers), ['docs', 'web']);
  });

  const wrong: readonly [string, string, readonly string[]][] = [
    ['an unknown key', definition('colour: red'), ['4 colour: The key "colour" is unknown.']],
    [
      'a tool there is not',
      definition('tools:', '  - read_file', '  - read_fil'),
      ['6 tools.1: There is no tool "read_fil". Did you mean "read_file"?'],
    ],
    [
      'a limit of nothing',
      definition('max_turns: 0'),
      ['4 max_turns: "max_turns" is invalid: Too small: expected number to be >0.'],
    ],
    ['another kind', definition('kind: odd'), ['4 kind: "kind" is invalid: Invalid input: expected "local".']],
    ['no name', '---\ndescription: x\n---\n', ['2 name: "name" is missing.']],
    [
      'several things at once',
      '---\nname: Big Name\ndescription: x\nodd: 1\n---\n',
      [
        '2 name: "name" is invalid: only lower-case letters, digits, "-" and "_" make a name.',
        '4 odd: The key "odd" is unknown.',
      ],
    ],
    [
      'a server with a wrong part',
      definition('mcp_servers:', '  docs:', '    command: x', '    args: none'),
      ['7 mcp_servers.docs.args: "mcp_servers.docs.args" is invalid: Invalid input: expected array, received string.'],
    ],
  ];
  for (const [what, text, expected] of wrong) {
    it(`with ${what} says in which line`, () => assert.deepEqual(problems(text), expected));
  }

  it('without front matter, or with something else in it, is none', () => {
    for (const text of ['', 'You look.', '---\nname: x\n', '---\njust words\n---\n']) {
      assert.match(problems(text).join(), /^1 -: A definition must begin with front matter/);
    }
  });

  it('that is not YAML says where it stops being it', () => {
    assert.match(
      problems('---\nname: a\ndescription: [x\n---\n').join(),
      /^[34] -: The front matter is not valid YAML/,
    );
  });

  it('cannot be made endless with aliases', () => {
    const four = (n: number): string => Array.from({ length: 4 }, () => `*b${n}`).join(', ');
    const bomb = ['b0: &b0 [x, x, x]', ...Array.from({ length: 8 }, (_, n) => `b${n + 1}: &b${n + 1} [${four(n)}]`)];
    assert.match(problems(definition(...bomb)).join(), /not valid YAML/);
  });

  it('has no inherited fields', () => {
    assert.deepEqual(problems(definition('__proto__: { tools: [nothing] }')), [
      '4 __proto__: The key "__proto__" is unknown.',
    ]);
  });

  it('may have Windows line ends and a byte order mark', () => {
    const [agent] = readAgents(`\uFEFF${definition('max_turns: 2').replaceAll('\n', '\r\n')}`, FILE).agents;
    assert.ok(agent?.kind === 'local');
    assert.deepEqual([agent.maxTurns, agent.prompt], [2, { text: 'You look around.' }]);
  });
});

describe('The definition of a remote agent', () => {
  const remote = (...lines: readonly string[]): string =>
    ['---', 'kind: remote', 'name: far', ...lines, '---', ''].join('\n');

  it('names a card, by address or as text', () => {
    assert.deepEqual(readAgents(remote('agent_card_url: https://x.test/card'), FILE).agents, [
      { kind: 'remote', name: 'far', description: '', card: { url: 'https://x.test/card' } },
    ]);
    assert.deepEqual(readAgents(remote(`agent_card_json: '{"a":1}'`), FILE).agents, [
      { kind: 'remote', name: 'far', description: '', card: { json: '{"a":1}' } },
    ]);
  });

  it('is known by its keys when nobody says what it is, and may be one of a list', () => {
    assert.equal(readAgents('---\nname: far\nagent_card_url: https://x.test\n---\n', FILE).agents[0]?.kind, 'remote');
    const list = '---\n- name: a\n  agent_card_url: https://x.test\n- name: b\n  agent_card_json: "[]"\n---\n';
    assert.deepEqual(
      readAgents(list, FILE).agents.map(({ name, kind }) => `${kind} ${name}`),
      ['remote a', 'remote b'],
    );
  });

  it('with no card, two of them, or half a login says so', () => {
    const either =
      '"agent_card_url" is invalid: exactly one of agent_card_url and agent_card_json says who the agent is.';
    assert.deepEqual(problems(remote()), [`2 agent_card_url: ${either}`]);
    assert.deepEqual(problems(remote('agent_card_url: https://x.test', 'agent_card_json: "{}"')), [
      `4 agent_card_url: ${either}`,
    ]);
    assert.deepEqual(problems(remote('agent_card_url: https://x.test', 'auth:', '  type: http', '  scheme: Bearer')), [
      '5 auth.token: "auth.token" is invalid: the scheme "Bearer" needs it.',
    ]);
  });

  it('in a list says which one is wrong, and takes none of them', () => {
    const list = '---\n- name: a\n  agent_card_url: https://x.test\n- name: B\n  agent_card_url: https://x.test\n---\n';
    const { agents, problems: wrong } = readAgents(list, FILE);
    assert.deepEqual([agents, wrong.map(({ line, key }) => [line, key])], [[], [[4, '1.name']]]);
  });
});
