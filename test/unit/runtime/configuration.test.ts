import assert from 'node:assert/strict';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { DiskView } from '../../../extension/files/disk-view.ts';
import { dependsOnEntries } from '../../../extension/files/file-stamp.ts';
import { useAgent } from '../../support/agent.ts';
import { all, message, testTool } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { installExtension, manifest } from '../../support/gemini-extensions.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

describe('Configuration in a run', () => {
  const agent = useAgent();
  let home: TempWorkspace;
  beforeEach(async () => {
    home = await createTempWorkspace();
  });
  afterEach(() => home.dispose());

  const ofUser = (file: string, text: string) => (): Promise<void> => home.write({ [file]: text });
  const ofFolder = (file: string, text: string) => async (): Promise<void> => {
    await mkdir(dirname(join(agent.workspace, file)), { recursive: true });
    await writeFile(join(agent.workspace, file), text);
  };
  const extension = (): Promise<string> =>
    installExtension(home.path, 'ext', {
      'gemini-extension.json': manifest('ext', { contextFileName: 'GEMINI.md' }),
      'GEMINI.md': 'canary',
    });
  const skill = '---\nname: canary\ndescription: A skill\n---\nDo it.\n';

  /** Runs three steps, then the change, and returns the request of the step after it. */
  const requestAfter = async (change: () => Promise<unknown>): Promise<string> => {
    const tools = [
      testTool('look', 'read', async () => ({ content: 'done' })),
      testTool('change', 'read', async () => ({ content: `${await change()}` })),
    ];
    const environment = {
      GOOGLE_GEMINI_BASE_URL: agent.endpoint.url,
      GEMINI_CLI_HOME: home.path,
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home.path, 'system.json'),
    };
    const old = new Date(Date.now() - 60_000);
    for (const folder of [home.path, agent.workspace]) await utimes(folder, old, old);
    // Nothing was written just now.
    const now = (): number => Date.now() + 60_000;
    for (const name of ['look', 'look', 'change']) agent.endpoint.reply(call(name, {}));
    agent.endpoint.reply('done');
    await all(await agent.open(tools, { environment, now }).createSession(), message('Go'));
    assert.equal(agent.endpoint.requests.length, 4);
    const { systemInstruction, tools: offered } = agent.endpoint.requests.at(-1)?.body ?? {};
    return JSON.stringify([systemInstruction, offered]);
  };

  const APPEARS: Readonly<Record<string, () => Promise<unknown>>> = {
    'instructions of the folder': ofFolder('GEMINI.md', 'canary'),
    'instructions of the user': ofUser('.gemini/GEMINI.md', 'canary'),
    'a skill of the folder': ofFolder('.gemini/skills/one/SKILL.md', skill),
    'a skill of the user': ofUser('.agents/skills/one/SKILL.md', skill),
    'another name for instructions': async () => {
      await ofFolder('RULES.md', 'canary')();
      await ofUser('.gemini/settings.json', '{"context": {"fileName": "RULES.md"}}')();
    },
    'an extension': extension,
  };
  for (const [what, change] of Object.entries(APPEARS)) {
    it(`has ${what} from the step after it appeared`, async () => {
      assert.match(await requestAfter(change), /canary/);
    });
  }

  it('has no tool from the step after a setting excluded it', async () => {
    const request = await requestAfter(ofUser('.gemini/settings.json', '{"tools": {"exclude": ["look"]}}'));
    assert.doesNotMatch(request, /"name":"look"/);
    assert.match(request, /"name":"change"/);
  });

  it('has nothing of an extension from the step after it was turned off', async () => {
    await extension();
    const off = JSON.stringify({ ext: { overrides: [`!${agent.workspace}/*`] } });
    assert.doesNotMatch(await requestAfter(ofUser('.gemini/extensions/extension-enablement.json', off)), /canary/);
    assert.match(JSON.stringify(agent.endpoint.requests.at(-2)?.body.systemInstruction), /canary/);
  });

  it('costs a step a look at four paths at most, where there is none', async () => {
    const { stats, isAbsent } = DiskView.prototype;
    const views = new Map<DiskView, Set<string>>();
    const count = (view: DiskView, path: string): void => {
      views.set(view, (views.get(view) ?? new Set()).add(path));
    };
    DiskView.prototype.stats = function (path) {
      count(this, path);
      return stats.call(this, path);
    };
    DiskView.prototype.isAbsent = function (path, folder) {
      count(this, `${path} itself`);
      return isAbsent.call(this, path, folder);
    };
    try {
      await requestAfter(async () => undefined);
      const last = [...views.values()].at(-1) ?? new Set();
      // Elsewhere, every missing file is looked for.
      const most = (await dependsOnEntries(agent.workspace)) ? 4 : 40;
      assert.ok(last.size > 0 && last.size <= most, [...last].join('\n'));
    } finally {
      Object.assign(DiskView.prototype, { stats, isAbsent });
    }
  });
});
