import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BaseLlm,
  FunctionTool,
  LlmAgent,
  type LlmRequest,
  type LlmResponse,
  LongRunningFunctionTool,
} from '@google/adk';
import { toA2a } from '@google/adk/a2a';
import { z } from 'zod';

/** Answers without a service: looks up the weather, or asks which town is meant. */
class ScriptedModel extends BaseLlm {
  constructor() {
    super({ model: 'scripted' });
  }

  async *generateContentAsync({ contents }: LlmRequest): AsyncGenerator<LlmResponse, void> {
    const last = contents.at(-1)?.parts ?? [];
    const given = last.find(({ functionResponse }) => functionResponse)?.functionResponse?.response;
    const asked = last.map(({ text = '' }) => text).join('');
    if (given) {
      yield saying('It is sunny', true);
      yield saying(` in ${JSON.stringify(given)}.`, true);
      yield saying(`It is sunny in ${JSON.stringify(given)}.`);
    } else if (asked.includes('here')) yield calling('ask_town', {});
    else yield calling('get_weather', { town: 'Bern' });
  }

  connect(): never {
    throw new Error('This model has no live connection.');
  }
}

function saying(text: string, partial = false): LlmResponse {
  return { content: { role: 'model', parts: [{ text }] }, ...(partial && { partial }) };
}

function calling(name: string, args: Record<string, unknown>): LlmResponse {
  return { content: { role: 'model', parts: [{ functionCall: { name, args } }] } };
}

const agent = new LlmAgent({
  name: 'weather',
  description: 'Knows the weather.',
  model: new ScriptedModel(),
  tools: [
    new FunctionTool({
      name: 'get_weather',
      description: 'The weather in a town.',
      parameters: z.object({ town: z.string() }),
      execute: ({ town }) => ({ town }),
    }),
    new LongRunningFunctionTool({
      name: 'ask_town',
      description: 'Asks which town is meant.',
      parameters: z.object({}),
      execute: () => undefined,
    }),
  ],
});

const { TOKEN = '' } = process.env;
const server = createServer();
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo;
  const app = await toA2a(agent, { host: '127.0.0.1', port, allowUnauthenticated: true });
  server.on('request', (request, response) => {
    if (TOKEN === '' || request.headers.authorization === `Bearer ${TOKEN}`) app(request, response);
    else response.writeHead(401).end();
  });
  process.stdout.write(`http://127.0.0.1:${port}/.well-known/agent-card.json\n`);
});
