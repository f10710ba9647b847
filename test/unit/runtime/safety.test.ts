import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import { useAgent } from '../../support/agent.ts';
import { all, message, testTool } from '../../support/conversation.ts';
import { blockedPrompt } from '../../support/gemini/faults.ts';
import { call, finish } from '../../support/gemini/script.ts';
import { createTempWorkspace } from '../../support/temp-workspace.ts';
import { forEvents, prints, settingsWith } from '../hooks/hook-builders.ts';

const TOKEN = ['ghp', '_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('');
const OWN = 'the-key-of-the-user-0815';

describe('The safety filter', () => {
  const agent = useAgent();
  const bytes = (): string => agent.endpoint.requests.map(({ body }) => JSON.stringify(body)).join('\n');
  const texts = ({ events }: AgentSession): string[] => {
    const transcript = new Transcript();
    for (const event of events) transcript.apply(event);
    return transcript.entries.flatMap((entry) => {
      if (entry.kind === 'problem') return `${entry.problem.title}. ${entry.problem.detail}`;
      return entry.kind === 'note' ? entry.text : [];
    });
  };

  it('omits what a tool returns and what a hook adds', async () => {
    const home = await createTempWorkspace();
    try {
      await home.write(
        settingsWith(forEvents({ BeforeAgent: prints({ hookSpecificOutput: { additionalContext: `KEY ${TOKEN}` } }) })),
      );
      const tool = testTool('look', 'read', () => Promise.resolve({ content: `DB_PASSWORD=letmein2024\n${TOKEN}` }));
      const environment = {
        GOOGLE_GEMINI_BASE_URL: agent.endpoint.url,
        GEMINI_CLI_HOME: home.path,
        PATH: process.env['PATH'] ?? '',
      };
      agent.endpoint.reply(call('look'));
      agent.endpoint.reply('ok');
      const session = await agent.open([tool], { environment }).createSession();
      await all(session, message('Hi'));
      assert.ok(!bytes().includes(TOKEN) && !bytes().includes('letmein2024'));
      assert.match(bytes(), /KEY \[\[gantry-secret-\w{8}:github-token\]\]/);
      assert.deepEqual(
        texts(session).filter((text) => text.includes('removed before sending')),
        [
          '1 secret was removed before sending (GitHub token in your message)',
          '1 secret was removed before sending (password in the result of look)',
        ],
      );
    } finally {
      await home.dispose();
    }
  });

  it("leaves the user's own key out, also when they want everything else to be sent", async () => {
    const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, GEMINI_API_KEY: OWN };
    agent.endpoint.reply('ok');
    const service = agent.open([], { environment, redactsSecrets: false });
    await all(await service.createSession(), message(`Use ${OWN} and ${TOKEN}`));
    assert.ok(!bytes().includes(OWN) && bytes().includes(TOKEN));
  });

  it('keeps what was said in the log, and shows it', async () => {
    agent.endpoint.reply('ok');
    const session = await agent.open().createSession();
    await all(session, message(`My token is ${TOKEN}`));
    assert.ok(JSON.stringify(session.events).includes(TOKEN));
  });

  it('sends nothing that could not be checked, and says so', async () => {
    const broken = { apiKey: () => Promise.reject(new Error('The keyring is locked')) };
    const session = await agent.open([], {}, { secrets: broken }).createSession();
    await all(session, message(`My token is ${TOKEN}`));
    assert.equal(agent.endpoint.requests.length, 0);
    assert.match(texts(session).join(), /Nothing was sent\. The request could not be checked for secrets/);
  });

  it('continues with other names when the key for them is damaged', async () => {
    await writeFile(join(agent.sessions, '..', 'secret-names.key'), 'short');
    agent.endpoint.reply('ok');
    await all(await agent.open().createSession(), message(`My token is ${TOKEN}`));
    assert.match(bytes(), /\[\[gantry-secret-\w{8}:github-token\]\]/);
  });

  it('filters what is asked outside of a conversation', async () => {
    agent.endpoint.reply('A message');
    const question = { what: 'A commit message', instruction: 'Write one.', text: `+token = ${TOKEN}` };
    await agent.open().complete(question, new AbortController().signal);
    assert.ok(bytes().includes('+token = [[gantry-secret-') && !bytes().includes(TOKEN));
  });
});

describe('An answer that was blocked', () => {
  const agent = useAgent();
  const end = ({ events }: AgentSession) => events.findLast((event) => event.type === 'agent_end');
  const shown = ({ events }: AgentSession): string => {
    const transcript = new Transcript();
    for (const event of events) transcript.apply(event);
    return transcript.entries
      .map((entry) =>
        entry.kind === 'problem'
          ? `${entry.problem.title}. ${entry.problem.detail}`
          : entry.kind === 'note'
            ? entry.text
            : '',
      )
      .join('\n');
  };

  for (const [reason, words] of [
    ['SAFETY', /safety filter considers the content harmful \(SAFETY\)/],
    ['RECITATION', /copyrighted text \(RECITATION\).*paraphrase/s],
    ['BLOCKLIST', /contains blocked terms/],
    ['PROHIBITED_CONTENT', /terms of use/],
    ['SPII', /personal data/],
  ] as const) {
    it(`is a refusal that is explained, before a word of it and after some: ${reason}`, async () => {
      // Another answer to the same message may get through, so it is asked for again.
      agent.endpoint.always(finish(reason));
      const session = await agent.open().createSession();
      await all(session, message('Hi'));
      assert.equal(end(session)?.reason, 'refusal');
      assert.match(shown(session), words);
      assert.match(shown(session), /Your message is kept/);
      agent.endpoint.reply('Some words', finish(reason));
      const other = await agent.open().createSession();
      await all(other, message('Hi'));
      assert.deepEqual([end(other)?.reason, end(other)?.data], ['refusal', { finishReason: reason }]);
      assert.match(shown(other), words);
      assert.match(shown(other), /The text before that is kept/);
    });
  }

  it('is a refusal also when the message was what did not get through', async () => {
    agent.endpoint.reply(blockedPrompt('PROHIBITED_CONTENT'));
    const session = await agent.open().createSession();
    await all(session, message('Hi'));
    assert.equal(end(session)?.reason, 'refusal');
    assert.match(
      shown(session),
      /The message was blocked\. .*terms of use \(PROHIBITED_CONTENT\)\. Your message is kept/s,
    );
  });
});
