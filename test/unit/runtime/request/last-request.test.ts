import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { idOf, useAgent } from '../../../support/agent.ts';
import { all, message, testTool } from '../../../support/conversation.ts';
import { apiError } from '../../../support/gemini/faults.ts';
import { call, usage } from '../../../support/gemini/script.ts';

const TOKEN = ['ghp', '_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('');
const OWN = 'the-key-of-the-user-0815';

describe('The last request of a session', () => {
  const agent = useAgent();

  async function asked(service: AgentService, text: string): Promise<string> {
    const session = await service.createSession();
    await all(session, message(text));
    return (await service.session(idOf(session)).lastRequest()) ?? '';
  }

  it('is shown as it was sent: every text of it, without the secrets', async () => {
    const look = testTool('look', 'read', () =>
      Promise.resolve({ content: `a line\nDB_PASSWORD=letmein2024\n${TOKEN}` }),
    );
    agent.endpoint.reply(call('look'));
    agent.endpoint.reply('ok', usage({ promptTokenCount: 2000, cachedContentTokenCount: 500 }));
    const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, GEMINI_API_KEY: OWN };
    const shown = await asked(agent.open([look], { environment }), `Look, with ${TOKEN} and ${OWN}`);
    const { contents = [], systemInstruction } = agent.endpoint.requests.at(-1)?.body ?? {};
    const sent = [...contents, ...(systemInstruction ? [systemInstruction] : [])]
      .flatMap(({ parts = [] }) => parts)
      .map(({ text, functionResponse }) => text ?? String(functionResponse?.response?.['output'] ?? ''));
    assert.ok(sent.length >= 3 && sent.some((text) => text.includes('gantry-secret')));
    for (const text of sent) for (const line of text.split('\n')) assert.ok(shown.includes(line), line);
    assert.match(shown, /The service counted 2,000 input tokens, 500 of them cached \(25%\)/);
    for (const secret of [TOKEN, OWN, 'letmein2024']) assert.ok(!shown.includes(secret), secret);
    assert.match(shown, /Secrets are replaced, here and in the request/);
  });

  it('is that of the attempt that was answered', async () => {
    agent.endpoint.reply(apiError(503));
    agent.endpoint.reply('ok');
    const shown = await asked(agent.open(), 'Hello there');
    assert.match(shown, /Message 1 user/);
    assert.match(shown, /Hello there/);
  });

  it('hides the secrets that the user lets the model see, and says so', async () => {
    agent.endpoint.reply('ok');
    const shown = await asked(agent.open([], { redactsSecrets: false }), `Use ${TOKEN}`);
    assert.ok(JSON.stringify(agent.endpoint.requests.at(-1)?.body).includes(TOKEN));
    assert.ok(!shown.includes(TOKEN));
    assert.match(shown, /The request contained some of them/);
  });
});
