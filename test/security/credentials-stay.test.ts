import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ModelSource } from '../../extension/model/model-source.ts';
import type { Host } from '../../extension/ports/host.ts';
import type { AgentSession } from '../../extension/protocol/agent/agent-session.ts';
import { AgentService } from '../../extension/runtime/agent-service.ts';
import { useAgent } from '../support/agent.ts';
import { message } from '../support/conversation.ts';
import { apiError, http } from '../support/gemini/faults.ts';
import { call } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { MemoryLogin } from '../support/memory-login.ts';
import { OAuthServer } from '../support/oauth-server.ts';
import { testHost } from '../support/test-host.ts';
import { ask, logged, problemIn } from '../unit/model/asking.ts';

const SECRETS = {
  stored: 'AIzaStoredKeyStoredKeyStored',
  variable: 'AIzaVariableKeyVariableKey',
  header: 'gateway-token-0123456789',
  access: 'ya29.access-token-0123456789',
  refresh: '1//refresh-token-0123456789',
  client: 'GOCSPX-client-secret-0123',
};
const ANY_SECRET = new RegExp(
  Object.values(SECRETS)
    .map((secret) => secret.replace(/[.]/g, '\\.'))
    .join('|'),
);

describe('credentials stay where they belong', () => {
  const suite = useAgent();
  const lines: string[] = [];
  let elsewhere: GeminiEndpoint;

  beforeEach(async () => {
    elsewhere = await startGeminiEndpoint();
    elsewhere.always('Thank you.');
    lines.length = 0;
  });
  afterEach(() => elsewhere.dispose());

  const log: Host['log'] = {
    debug: (text) => lines.push(text),
    info: (text) => lines.push(text),
    warn: (text) => lines.push(text),
    error: (text, cause) => lines.push(`${text}\n${logged(cause)}`),
  };

  function host(baseUrl = suite.endpoint.url): Host {
    const { access: accessToken, refresh: refreshToken } = SECRETS;
    const login = { accessToken, refreshToken, expiresAt: 0, clientId: 'c', tokenUrl: 'https://t.example/' };
    const environment = {
      PATH: process.env['PATH'] ?? '',
      GEMINI_API_KEY: SECRETS.variable,
      GATEWAY_TOKEN: SECRETS.header,
      CLIENT_SECRET: SECRETS.client,
      HARMLESS: 'is-seen',
    };
    const headers = { authorization: 'Bearer ${env:GATEWAY_TOKEN}' };
    const auth = { headers, clientId: 'c', clientSecret: '${env:CLIENT_SECRET}' };
    const options = {
      baseUrl,
      environment,
      auth,
      secretKey: SECRETS.stored,
      login: new MemoryLogin(JSON.stringify(login)),
    };
    const { sessions, workspace } = suite;
    return { ...testHost({ ...options, sessions, roots: [workspace], approvalMode: 'yolo' }), log };
  }

  async function converse(session: AgentSession, text: string): Promise<void> {
    for await (const _ of session.sendStream(message(text)));
  }

  it('not in the environment of a command, the log, an export or the audit log, even when the model names them', async () => {
    suite.endpoint.reply(call('run_shell_command', { command: 'env' }));
    suite.endpoint.reply(`I know them all: ${Object.values(SECRETS).join(' ')}`);
    const service = new AgentService(host());
    try {
      const session = await service.createSession();
      await converse(session, 'What is in the environment?');
      const [result] = (await suite.endpoint.waitForRequest(2)).toolResults;
      assert.match(JSON.stringify(result), /HARMLESS=is-seen/);
      assert.doesNotMatch(JSON.stringify(result), ANY_SECRET);
      assert.equal(suite.endpoint.requests[0]?.headers.authorization, `Bearer ${SECRETS.header}`);
      const [stored] = (await service.library?.list()) ?? [];
      for (const format of ['markdown', 'json'] as const) {
        const text = (await service.library?.export(stored?.id ?? '', format)) ?? '';
        assert.match(text, /I know them all/);
        assert.doesNotMatch(text, ANY_SECRET, format);
      }
      const replay = JSON.stringify(await service.library?.replay(stored?.id ?? ''));
      assert.match(replay, /I know them all/);
      assert.doesNotMatch(replay, ANY_SECRET);
      assert.doesNotMatch(await readFile(join(suite.sessions, '..', 'audit.jsonl'), 'utf8'), ANY_SECRET);
      assert.doesNotMatch(lines.join('\n'), ANY_SECRET);
    } finally {
      await service.dispose();
    }
  });

  it('not in what is told or logged when the endpoint repeats them', async () => {
    const echo = `Bad token ${SECRETS.header} and key ${SECRETS.stored}`;
    for (const reply of [apiError(400, { message: echo }), http(502, echo), http(200, `<html>${echo}`)]) {
      suite.endpoint.reply(reply);
      const { error } = await ask((await new ModelSource(host()).resolve('auto')).generator);
      assert.doesNotMatch(`${logged(error)}${JSON.stringify(problemIn(error))}`, ANY_SECRET);
    }
  });

  it('not at the host that a redirect points to', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      suite.endpoint.reply(
        http(status, '', { location: `${elsewhere.url}/v1beta/models/x:streamGenerateContent?alt=sse` }),
      );
      const { error } = await ask((await new ModelSource(host()).resolve('auto')).generator);
      assert.equal(problemIn(error).kind, 'not-gemini');
    }
    assert.deepEqual([...elsewhere.requests, ...elsewhere.notFound], []);
  });

  it('not at a base URL of another host: tokens of Google go to Google and to this machine', async () => {
    const oauth = await OAuthServer.start();
    try {
      for (const authMethod of ['adc', 'google', 'vertex'] as const) {
        const { access: accessToken, refresh: refreshToken } = SECRETS;
        const { tokenUrl } = oauth;
        const login = { accessToken, refreshToken, expiresAt: Date.now() + 3_600_000, clientId: 'c', tokenUrl };
        const other = testHost({
          authMethod,
          baseUrl: 'https://gateway.example',
          auth: { clientId: 'c', tokenUrl, project: 'p' },
          login: new MemoryLogin(JSON.stringify(login)),
        });
        const error = await new ModelSource(other).resolve('auto').catch((thrown: unknown) => thrown);
        assert.equal(problemIn(error).title, 'The token was not sent to another host');
      }
      assert.deepEqual(oauth.tokenRequests, []);
    } finally {
      await oauth.dispose();
    }
  });

  it('not with a gateway’s headers at Google, when its address is gone', async () => {
    const { generator } = await new ModelSource({ ...host(''), recorded: {} }).resolve('auto');
    const sent: Headers[] = [];
    const { fetch: real } = globalThis;
    globalThis.fetch = async (_, init) => {
      sent.push(new Headers(init?.headers));
      return new Response('{}', { status: 500 });
    };
    try {
      await ask(generator);
    } finally {
      globalThis.fetch = real;
    }
    assert.equal(sent.length, 1);
    assert.equal(sent[0]?.get('authorization'), null);
    assert.equal(sent[0]?.get('x-goog-api-key'), SECRETS.stored);
  });
});
