import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { z } from 'zod';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import type { ContentPart } from '../../../extension/protocol/agent/content-part.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, answer, message, testTool, until } from '../../support/conversation.ts';
import { blockedPrompt } from '../../support/gemini/faults.ts';
import { call, finish, stream, thought } from '../../support/gemini/script.ts';
import { createTempWorkspace } from '../../support/temp-workspace.ts';
import { forEvents, prints, settingsWith } from '../hooks/hook-builders.ts';

const TOKEN = ['ghp', '_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('');
const OWN = 'the-key-of-the-user-0815';

const wordsIn = (part: ContentPart): string =>
  part.type === 'text' ? part.text : part.type === 'thought' ? part.thought : '';

/** A tool that keeps what it was given. */
function noteTool() {
  const given: unknown[] = [];
  const tool = {
    ...testTool('note', 'edit', () => Promise.resolve({ content: 'ok' })),
    schema: z.strictObject({ text: z.string() }),
    execute: (args: unknown) => {
      given.push(args);
      return Promise.resolve({ content: 'ok' });
    },
  };
  return { tool, given };
}

describe('The safety filter', () => {
  const agent = useAgent();
  const wordsOf = ({ events }: AgentSession): string =>
    events
      .flatMap((event) => (event.type === 'message' && event.role === 'agent' ? event.content.map(wordsIn) : []))
      .join('');
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

  it("replaces the user's secret in an answer in what is shown, stored and handed to tools, without their approval", async () => {
    const { tool, given } = noteTool();
    agent.endpoint.reply(
      thought(`It is ${TOKEN.slice(0, 9)}`),
      thought(`${TOKEN.slice(9)}. Now\u202E`),
      ...stream(`Use gh`, TOKEN.slice(2, 20), TOKEN.slice(20), ` and [[gantry-secret-0a1b2c3d:password]], plea`, `se`),
      call('note', { text: `KEY ${TOKEN}` }),
    );
    agent.endpoint.reply('ok');
    const session = await agent.open([tool], { approvalMode: 'yolo' }).createSession();
    const run = all(session, message(`My token is ${TOKEN}`));
    await until(session, 'elicitation_request');
    const asked = session.events.find((event) => event.type === 'elicitation_request');
    assert.match(asked?._meta?.approval?.why ?? '', /GitHub token from your message, ghp_… \(40 characters\)/);
    await session.send(answer(asked?.requestId ?? '', 'accept'));
    await run;
    const name =
      /\[\[gantry-secret-\w{8}:github-token\]\]/.exec(wordsOf(session))?.[0] ?? assert.fail('no placeholder');
    assert.equal(
      wordsOf(session),
      `It is ${name}. Now\\u{202E}Use ${name} and [[gantry-secret-0a1b2c3d:password]], pleaseok`,
    );
    const log = await readFile(join(agent.sessions, idOf(session), 'log.jsonl'), 'utf8');
    const ofModel = log.split('\n').filter((line) => line.includes('"role":"model"'));
    assert.ok(ofModel.length > 0 && !ofModel.join().includes(TOKEN));
    assert.ok(log.includes(`"text":"KEY ${name}"`) && !bytes().includes(TOKEN));
    assert.deepEqual(given, [{ text: `KEY ${TOKEN}` }], 'the user allowed this call to have it');
    assert.deepEqual(
      texts(session).filter((text) => text.includes('in the answer')),
      [
        '1 secret was replaced in the answer (GitHub token in your message); 1 hidden character was made visible in the answer',
      ],
    );
  });

  it('hands what the model makes up to tools as it is, without a question: passwords, examples and keys of tests', async () => {
    const { tool, given } = noteTool();
    const made = `DB_PASSWORD=letmein2024\nTOKEN=${TOKEN}\nzero\u200bwidth`;
    agent.endpoint.reply(`PASSWORD=letmein2024 ${TOKEN}`, call('note', { text: made }));
    agent.endpoint.reply(call('note', { text: 'DB_PASSWORD=letmein2024' }));
    agent.endpoint.reply('ok');
    const session = await agent.open([tool], { approvalMode: 'yolo' }).createSession();
    await all(session, message('Make a fixture. I have PASSWORD=letmein2024 in another file.'));
    assert.deepEqual(given, [{ text: made }, { text: 'DB_PASSWORD=letmein2024' }]);
    assert.equal(wordsOf(session), `PASSWORD=letmein2024 ${TOKEN}ok`);
    assert.ok(!session.events.some((event) => event.type === 'elicitation_request'));
  });

  it("replaces the user's own key in an answer, also when everything else may be sent, and fills it in if approved", async () => {
    const { tool, given } = noteTool();
    const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, GEMINI_API_KEY: OWN };
    agent.endpoint.reply(call('note', { text: OWN }));
    agent.endpoint.reply('ok');
    const service = agent.open([tool], { environment, redactsSecrets: false, approvalMode: 'yolo' });
    const session = await service.createSession();
    const run = all(session, message('Hi'));
    await until(session, 'elicitation_request');
    const asked = session.events.find((event) => event.type === 'elicitation_request');
    assert.match(asked?._meta?.approval?.why ?? '', /your own model key from your settings/);
    await session.send(answer(asked?.requestId ?? '', 'accept'));
    await run;
    assert.deepEqual(given, [{ text: OWN }]);
    assert.ok(!bytes().includes(OWN) && !JSON.stringify(session.events).includes(OWN));
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
