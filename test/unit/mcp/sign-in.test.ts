import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type GuardedSite, type MemoryLogins, memoryLogins, startGuardedSite } from '../../support/mcp/guarded-site.ts';
import { mcpServers, type ServersUnderTest, untilState } from '../../support/mcp/servers.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

const NEVER = new AbortController().signal;

describe('Signing in to an MCP server', () => {
  let folder: TempFolder;
  let site: GuardedSite;
  let logins: MemoryLogins;
  let made: ServersUnderTest[];
  beforeEach(async () => {
    folder = await tempFolder('mcp');
    site = await startGuardedSite();
    logins = memoryLogins();
    made = [];
  });
  afterEach(async () => {
    for (const { servers } of made) await servers.dispose();
    await site.dispose();
    await folder.dispose();
  });

  const open = async (url = site.url): Promise<ServersUnderTest> => {
    const test = mcpServers({ s: { httpUrl: url } }, { root: folder.path, logins });
    made.push(test);
    await test.servers.refresh();
    return test;
  };
  const status = ({ servers }: ServersUnderTest): unknown[] =>
    servers.statuses.map(({ state, tools }) => [state.kind, tools > 0]);

  it('waits for the user, and leaves nothing anywhere before', async () => {
    const test = await open();
    await untilState(test.servers, 's', 'needs-sign-in');
    assert.deepEqual([site.story, logins.texts.size, test.waits], [[], 0, []]);
  });

  it('leads from "sign in" to its tools, registers and proves who asked', async () => {
    const test = await open();
    await untilState(test.servers, 's', 'needs-sign-in');
    const seen: unknown[] = [];
    test.servers.onDidChange(() => seen.push(...status(test).map((each) => JSON.stringify(each))));
    await test.servers.signIn('s', site.browser(), NEVER);
    assert.deepEqual(status(test), [['ready', true]]);
    assert.ok(site.story.includes('POST /register') && site.story.includes('POST /token'));
    assert.deepEqual([seen.at(0), seen.at(-1)], ['["stopped",false]', '["ready",true]']);
  });

  it('is done once: the next window is signed in, and a token that is over is renewed', async () => {
    const first = await open();
    await first.servers.signIn('s', site.browser(), NEVER);
    site.story.length = 0;
    await untilState((await open()).servers, 's', 'ready');
    assert.equal(site.story.length, 0);
    site.expire('access');
    await untilState((await open()).servers, 's', 'ready');
    assert.ok(site.story.includes('POST /token') && !site.story.includes('POST /register'));
  });

  it('is asked for again when it is over, also in the middle of the work', async () => {
    const test = await open();
    await test.servers.signIn('s', site.browser(), NEVER);
    site.expire('all');
    const [server] = test.servers.servers;
    const answer = await server?.callTool('count', {}, { signal: NEVER });
    assert.ok(answer && 'failed' in answer);
    await untilState(test.servers, 's', 'needs-sign-in');
    assert.deepEqual(status(test), [['needs-sign-in', false]]);
    await test.servers.signIn('s', site.browser(), NEVER);
    assert.deepEqual(status(test), [['ready', true]]);
  });

  it('takes nothing that comes back from another page', async () => {
    const test = await open();
    await assert.rejects(test.servers.signIn('s', site.browser({ state: 'forged' }), NEVER), /not from the page/);
    assert.ok(!site.story.includes('POST /token'));
    assert.doesNotMatch([...logins.texts.values()].join(), /access_token/);
  });

  it('is for one address: another one under the same name gets nothing of it', async () => {
    await (await open()).servers.signIn('s', site.browser(), NEVER);
    const other = await startGuardedSite();
    try {
      const test = await open(other.url);
      await untilState(test.servers, 's', 'needs-sign-in');
      assert.ok(other.headers.every(({ authorization }) => authorization === undefined));
      await test.servers.dispose();
    } finally {
      await other.dispose();
    }
  });

  it('ends with signing out', async () => {
    const test = await open();
    await test.servers.signIn('s', site.browser(), NEVER);
    await test.servers.signOut('s');
    assert.deepEqual([status(test), logins.texts.size], [[['needs-sign-in', false]], 0]);
  });

  it('begins anew where what was kept cannot be read', async () => {
    await (await open()).servers.signIn('s', site.browser(), NEVER);
    for (const key of logins.texts.keys()) logins.texts.set(key, '{"tokens": 7');
    await untilState((await open()).servers, 's', 'needs-sign-in');
  });
});
