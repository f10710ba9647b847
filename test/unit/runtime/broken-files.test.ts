import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { useAgent } from '../../support/agent.ts';
import { all, message } from '../../support/conversation.ts';

const SKILL = '---\nname: fmt\ndescription: Formats code.\n---\nFormat it.\n';
const AGENT = '---\nname: fixer\ndescription: Fixes things.\n---\nFix it.\n';

describe('A file that is broken, repaired and broken again', () => {
  const agent = useAgent();

  const files: readonly [name: string, broken: string, sound: string, told: RegExp][] = [
    ['settings.json', '{\n  "mcpServers": {\n  oops\n', '{}', /^A settings file is invalid\. .*:3: /],
    ['settings.json', '{ "hooks": [] }', '{ }', /^A file with hooks has errors\. /],
    ['settings.json', '{ "mcpServers": [] }', '{ }', /^A file with MCP servers has errors\. /],
    ['skills/fmt/SKILL.md', 'Format it.\n', SKILL, /^A skill has errors\. /],
    ['agents/fixer.md', AGENT.replace('name: fixer', 'name: 1'), AGENT, /^An agent is ignored\. /],
  ];
  for (const [name, broken, sound, told] of files) {
    it(`is reported each time it breaks, and once: ${name}, ${told.source.slice(1, 24)}…`, async () => {
      const home = dirname(agent.sessions);
      const file = join(home, '.gemini', name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, broken);
      const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, GEMINI_CLI_HOME: home };
      const service = agent.open([], { environment });
      const session = await service.createSession();
      const reports: number[] = [];
      for (const text of [broken, broken, sound, broken]) {
        // Other bytes are another size, so that no clock is needed to see that it changed.
        await writeFile(file, text);
        agent.endpoint.reply('Done.');
        const events = await all(session, message('go'));
        reports.push(events.filter((event) => event.type === 'error' && told.test(event.message)).length);
      }
      assert.deepEqual(reports, [1, 0, 0, 1]);
    });
  }
});
