import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CompletionRequest } from 'vscode-languageserver-protocol/node';
import { LspClient } from '../../support/language-server/lsp-client.ts';
import { eventually } from '../../support/poll.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

const POLICY = 'home/.gemini/policies/mine.toml';
const RULE = '[[rule]]\ntoolName = "glob"\ndecision = "allow"\npriority = 10\n';

interface Case {
  readonly path: string;
  readonly saved: string;
  readonly typed: string;
  /** What the text that was typed makes of another document: a proposal at its end, or a problem. */
  readonly other: readonly [path: string, text: string];
  readonly proposes?: string;
  readonly reports?: RegExp;
}

/** One for each reader of files that other files refer to. */
const CASES: Readonly<Record<string, Case>> = {
  'rules of a policy file': {
    path: 'home/.gemini/policies/first.toml',
    saved: '# Nothing.\n',
    typed: RULE.replace('10', '20'),
    other: [POLICY, RULE],
    reports: /^This rule changes nothing: .*first\.toml:1 says the same/,
  },
  'a policy file whose saved text is no text': {
    path: 'home/.gemini/policies/first.toml',
    saved: '\0\xFF\xFE',
    typed: RULE.replace('10', '20'),
    other: [POLICY, RULE],
    reports: /^This rule changes nothing: .*first\.toml:1 says the same/,
  },
  'servers in settings': {
    path: '.gemini/settings.json',
    saved: '{}',
    typed: '{ "mcpServers": { "typed": { "command": "node" } } }',
    other: [POLICY, '[[rule]]\nmcpName = '],
    proposes: 'typed',
  },
  'servers of VS Code': {
    path: '.vscode/mcp.json',
    saved: '{}',
    typed: '{ "servers": { "typed": { "command": "node" } } }',
    other: [POLICY, '[[rule]]\nmcpName = '],
    proposes: 'typed',
  },
  'servers of an extension': {
    path: 'home/.gemini/extensions/tool/gemini-extension.json',
    saved: '{ "name": "tool", "version": "1.0.0" }',
    typed: '{ "name": "tool", "version": "1.0.0", "mcpServers": { "typed": { "command": "node" } } }',
    other: [POLICY, '[[rule]]\nmcpName = '],
    proposes: 'typed',
  },
  'which agents are off': {
    path: 'home/.gemini/settings.json',
    saved: '{ "agents": { "overrides": { "reviewer": { "enabled": true } } } }',
    typed: '{ "agents": { "overrides": { "reviewer": { "enabled": false } } } }',
    other: ['home/.gemini/agents/reviewer.md', '---\nname: reviewer\ndescription: Reviews.\n---\nReview.\n'],
    reports: /off/,
  },
  'names of agents': {
    path: 'home/.gemini/agents/one.md',
    saved: '---\nname: saved\ndescription: Reviews.\n---\nReview.\n',
    typed: '---\nname: typed\ndescription: Reviews.\n---\nReview.\n',
    other: [POLICY, '[[rule]]\nsubagent = '],
    proposes: 'typed',
  },
  'names of skills': {
    path: '.agents/skills/one/SKILL.md',
    saved: '---\nname: saved\ndescription: Writes.\n---\nWrite.\n',
    typed: '---\nname: typed\ndescription: Writes.\n---\nWrite.\n',
    other: ['.gemini/skills/two/SKILL.md', '---\nname: typed\ndescription: Writes.\n---\nWrite.\n'],
    reports: /typed/,
  },
  'imports of instructions': {
    path: 'more.md',
    saved: 'More.\n',
    typed: '@./none/at-all.md\n',
    other: ['GEMINI.md', '@./more.md\n'],
    reports: /more\.md:1/,
  },
};

describe('What somebody has typed and not saved counts in other documents:', () => {
  let place: TempFolder;
  let client: LspClient;

  beforeEach(async () => {
    place = await tempFolder('lsp-open');
    client = await LspClient.start({ root: place.path });
  });
  afterEach(async () => {
    await client.stop();
    await place.dispose();
  });

  const write = async (path: string, text: string): Promise<string> => {
    const file = join(place.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, 'latin1');
    return file;
  };
  const proposed = async (uri: string, text: string): Promise<readonly string[]> => {
    const lines = text.split('\n');
    const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
    const found = await client.connection.sendRequest(CompletionRequest.type, { textDocument: { uri }, position });
    return (Array.isArray(found) ? found : (found?.items ?? [])).map(({ label }) => label);
  };

  for (const [
    what,
    {
      path,
      saved,
      typed,
      other: [otherPath, text],
      proposes,
      reports,
    },
  ] of Object.entries(CASES)) {
    it(what, async () => {
      const file = await write(path, saved);
      const uri = await client.open(await write(otherPath, text), text);
      const counts = async (): Promise<boolean> => {
        if (proposes !== undefined) return (await proposed(uri, text)).includes(proposes);
        return (await client.problems(uri)).some(({ message }) => reports?.test(String(message)));
      };
      const opened = await client.open(file, saved);
      await client.problems(uri);
      assert.equal(await counts(), false, 'not before it is typed');
      await client.change(opened, typed);
      await eventually(what, counts);
    });
  }
});
