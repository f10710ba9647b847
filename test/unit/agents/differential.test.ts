import assert from 'node:assert/strict';
import { parseAgentMarkdown } from '@google/gemini-cli-core';
import { describe, it } from 'mocha';
import { readAgents } from '../../../extension/agents/read-agent.ts';

const HEAD = 'name: scout\ndescription: Looks around';
const REMOTE = 'kind: remote\nname: far';

/** Front matter, one of each kind of thing that an author writes or gets wrong. */
const MATTERS: readonly string[] = [
  HEAD,
  `${HEAD}\nkind: local`,
  `${HEAD}\nkind: other`,
  `${HEAD}\ndisplay_name: The Scout`,
  `${HEAD}\ntools: [read_file, glob, grep_search, list_directory, run_shell_command, web_fetch]`,
  `${HEAD}\ntools: ['*']`,
  `${HEAD}\ntools: ['mcp_*', 'mcp_docs_*', 'mcp_docs_find']`,
  `${HEAD}\ntools: ['mcp__find']`,
  `${HEAD}\ntools: ['mcp_docs']`,
  `${HEAD}\ntools: ['mcp_docs___']`,
  `${HEAD}\ntools: ['read*']`,
  `${HEAD}\ntools: [no_such_tool]`,
  `${HEAD}\ntools: read_file`,
  `${HEAD}\ntools: []`,
  `${HEAD}\ntools: [discovered_tool_x, search_file_content]`,
  `${HEAD}\nmodel: inherit\ntemperature: 0.3\nmax_turns: 5\ntimeout_mins: 2`,
  `${HEAD}\nmax_turns: 0`,
  `${HEAD}\nmax_turns: 1.5`,
  `${HEAD}\nmax_turns: "5"`,
  `${HEAD}\ntimeout_mins: -1`,
  `${HEAD}\ntemperature: hot`,
  `${HEAD}\ncolour: red`,
  `${HEAD}\nmcp_servers:\n  a: { command: x, args: [y], env: { A: b } }`,
  `${HEAD}\nmcp_servers:\n  a: { http_url: "https://x.test", type: http, headers: { A: b }, timeout: 3 }`,
  `${HEAD}\nmcp_servers:\n  a: { type: pipe }`,
  `${HEAD}\nmcp_servers:\n  a: { url: x, auth: { type: oauth, client_id: i, token_url: "https://x.test/t" } }`,
  `${HEAD}\nmcp_servers:\n  a: { url: x, auth: { type: oauth, token_url: nowhere } }`,
  `${HEAD}\nmcp_servers:\n  a: { url: x, auth: { type: apiKey, key: k } }`,
  `${HEAD}\nagent_card_url: https://x.test`,
  `${HEAD}\ntools: []\nagent_card_url: https://x.test`,
  'name: scout',
  'description: Looks around',
  'name: Scout\ndescription: x',
  'name: a.b\ndescription: x',
  'name: "-_0"\ndescription: x',
  'name: 12\ndescription: x',
  'name: scout\ndescription: ""',
  REMOTE,
  `${REMOTE}\nagent_card_url: https://x.test/card`,
  `${REMOTE}\nagent_card_url: nowhere`,
  `${REMOTE}\nagent_card_json: '{"a":1}'`,
  `${REMOTE}\nagent_card_json: '{a'`,
  `${REMOTE}\nagent_card_url: https://x.test\nagent_card_json: '{}'`,
  `${REMOTE}\nagent_card_url: https://x.test\ntools: []`,
  `${REMOTE}\nagent_card_url: https://x.test\nauth: { type: apiKey, key: $KEY }`,
  `${REMOTE}\nagent_card_url: https://x.test\nauth: { type: apiKey }`,
  `${REMOTE}\nagent_card_url: https://x.test\nauth: { type: http, scheme: Bearer, token: t }`,
  `${REMOTE}\nagent_card_url: https://x.test\nauth: { type: http, scheme: Bearer }`,
  `${REMOTE}\nagent_card_url: https://x.test\nauth: { type: http, scheme: Basic, username: u }`,
  `${REMOTE}\nagent_card_url: https://x.test\nauth: { type: http, scheme: Digest }`,
  `${REMOTE}\nagent_card_url: https://x.test\nauth: { type: http, scheme: Digest, value: v }`,
  `${REMOTE}\nagent_card_url: https://x.test\nauth: { type: google-credentials, scopes: [a] }`,
  `${REMOTE}\nagent_card_url: https://x.test\nauth: { type: odd }`,
  'name: far\nagent_card_url: https://x.test',
  '- name: a\n  agent_card_url: https://x.test\n- name: b\n  agent_card_json: "{}"',
  '- name: a\n  agent_card_url: https://x.test\n- name: b',
  '- name: a\n  description: x',
  '[]',
  'just words',
  'name: [a',
  'name: a\nname: b\ndescription: x',
  'a: &a x\nname: *a\ndescription: x',
];

describe('The definition of an agent, as Gemini CLI reads it', () => {
  for (const matter of MATTERS) {
    it(matter.replaceAll('\n', ' · ').slice(0, 110), async () => {
      const text = `---\n${matter}\n---\n\n Do it. \n`;
      assert.deepEqual(ours(text), await theirs(text));
    });
  }

  for (const text of [
    '',
    '---\n---\n',
    `${HEAD}\n---\n`,
    `---\n${HEAD}`,
    `---\n${HEAD}\n---`,
    `---\r\n${HEAD}\r\n---\r\nDo it.`,
  ]) {
    it(JSON.stringify(text), async () => assert.deepEqual(ours(text), await theirs(text)));
  }
});

/** What both say of it; `refused` when there is something wrong with it. */
type Outcome = readonly Readonly<Record<string, unknown>>[] | 'refused';

function ours(text: string): Outcome {
  const { agents, problems } = readAgents(text, 'a.md');
  if (problems.length > 0) return 'refused';
  return agents.map((agent) => {
    const { kind, name, displayName } = agent;
    if (agent.kind === 'remote') return { kind, name, displayName, description: agent.description, card: agent.card };
    const { description, tools, mcpServers, prompt } = agent;
    return { kind, name, displayName, description, tools, servers: Object.keys(mcpServers), prompt };
  });
}

async function theirs(text: string): Promise<Outcome> {
  const read = await parseAgentMarkdown('a.md', text).catch(() => 'refused' as const);
  if (read === 'refused') return read;
  return read.map((agent) => {
    const { kind, name, display_name: displayName, description = '' } = agent;
    if (agent.kind === 'remote') {
      const { agent_card_url: url, agent_card_json: json } = agent;
      return { kind, name, displayName, description, card: url === undefined ? { json } : { url } };
    }
    const { tools, mcp_servers = {}, system_prompt } = agent;
    return {
      kind,
      name,
      displayName,
      description,
      tools,
      servers: Object.keys(mcp_servers),
      prompt: { text: system_prompt },
    };
  });
}
