import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { untilAsked, useAgent } from '../../support/agent.ts';
import { all, answer, message, testTool } from '../../support/conversation.ts';
import { apiError } from '../../support/gemini/faults.ts';
import { call } from '../../support/gemini/script.ts';
import { stdio } from '../../support/mcp/stdio.ts';

const FULL = apiError(503, { message: 'No capacity.', reason: 'MODEL_CAPACITY_EXHAUSTED' });

describe('A question in a session that nobody shows', () => {
  const agent = useAgent();

  /** What those who listen to the service have seen, each time it reported a change. */
  function heard({ questions }: AgentService): string[] {
    const seen: string[] = [];
    questions.onDidChange(() => seen.push(questions.items.map(({ question }) => question.title).join()));
    return seen;
  }

  const cases: Record<string, { title: RegExp; open: () => Promise<AgentService> }> = {
    'about a call': {
      title: /touch/,
      open: async () => {
        agent.endpoint.reply(call('touch', {}));
        agent.endpoint.reply('Done.');
        return agent.open([testTool('touch', 'execute', async () => ({ content: 'Touched.' }))]);
      },
    },
    'about the model': {
      title: /overloaded/,
      open: async () => {
        for (const _ of [1, 2, 3]) agent.endpoint.reply(FULL);
        return agent.open();
      },
    },
    'of an MCP server': {
      title: /sample/,
      open: async () => {
        agent.endpoint.reply(call('mcp_sample_ask', {}));
        agent.endpoint.reply('Thanks.');
        const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, PATH: process.env['PATH'] ?? '' };
        const service = agent.open([], { mcpServers: { sample: stdio('good', { trust: true }) }, environment });
        await service.mcp.refresh();
        await Promise.all(service.mcp.servers.map(({ settled }) => settled));
        return service;
      },
    },
  };

  for (const [what, { title, open }] of Object.entries(cases)) {
    it(`${what} is reported when it is asked and when it is settled`, async () => {
      const service = await open();
      const session = await service.createSession();
      const seen = heard(service);
      const run = all(session, message('Go'));
      const { requestId } = await untilAsked(session);
      await new Promise(setImmediate);
      assert.match(seen.at(-1) ?? '', title);
      await service.questions.answer(requestId, answer(requestId, 'decline'));
      assert.equal(seen.at(-1), '');
      await run;
    });
  }
});
