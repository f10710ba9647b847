import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Seen } from './conversation.ts';
import { ANSWER, lineOfFile } from './endpoint-answer.ts';

/**
 * A model that has files read, in a process of its own so that its work is not counted as anybody's. It checks nothing of
 * what it gets. The parent process sends any message to learn what was seen since the last one.
 *
 * `model-server.mjs CALLS`: one file with every answer, for so many of them. It speaks the Gemini API and the Responses API
 * of OpenAI, and sends each answer in one piece.
 *
 * `model-server.mjs turns TOOL ARGUMENTS`: one call of this tool in every turn, then an answer in 100 chunks. It speaks the
 * Gemini API, for any number of clients.
 */
const [plan = '', tool = '', toolArguments = '{}'] = process.argv.slice(2);
const isOfTurns = plan === 'turns';
const calls = Number(plan);
let arrivals: number[] = [];
let filesRead = 0;

/** How each program reads a file, by the name of the tool. The first tool that a request contains is used. */
const READERS: Readonly<Record<string, (path: string) => object>> = {
  read_file: (path) => ({ file_path: path }),
  read: (path) => ({ path }),
  exec_command: (path) => ({ cmd: `cat ${path}` }),
  shell_command: (path) => ({ command: `cat ${path}` }),
  shell: (path) => ({ command: ['cat', path] }),
};
const readers = Object.keys(READERS).map((tool) => ({ tool, pattern: new RegExp(`"name":\\s*"${tool}"`) }));
let reader = 'read_file';

/** Checks for loops and the like, which require JSON: an answer that none of them objects to. */
const HARMLESS = JSON.stringify({
  unproductive_state_analysis: 'It gets on.',
  unproductive_state_confidence: 0,
  complexity_reasoning: 'simple',
  complexity_score: 5,
});

const server = createServer(async (request, response) => {
  const { url = '' } = request;
  const body = await text(request);
  const isOpenAi = url.endsWith('/responses');
  if (!isOpenAi && !url.includes('enerateContent')) return void response.end('{}');
  const isStream = isOpenAi || url.includes('stream');
  response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
  if (isOfTurns) return sendGemini(response, partsOfTurn(JSON.parse(body)), isStream);
  if (/responseMimeType|responseSchema|responseJsonSchema/.test(body)) {
    return sendGemini(response, [{ text: HARMLESS }], isStream);
  }
  arrivals.push(performance.timeOrigin + performance.now());
  const count = arrivals.length;
  if (body.includes(lineOfFile(count - 1))) filesRead++;
  if (count === 1) reader = readers.find(({ pattern }) => pattern.test(body))?.tool ?? 'read_file';
  const args = count <= calls ? READERS[reader]?.(`f${count}.txt`) : undefined;
  if (isOpenAi) return sendOpenAi(response, count, args);
  sendGemini(response, [args ? callOf(reader, args) : { text: 'Done.' }], isStream);
});

function callOf(name: string, args: unknown): object {
  return { functionCall: { name, args } };
}

interface Request {
  readonly contents: readonly { readonly parts: readonly object[] }[];
  readonly generationConfig?: { readonly responseMimeType?: string };
}

function partsOfTurn({ contents, generationConfig }: Request): readonly object[] {
  if (generationConfig?.responseMimeType === 'application/json') return [{ text: HARMLESS }];
  const isAnswered = contents.at(-1)?.parts.some((part) => 'functionResponse' in part);
  return isAnswered ? ANSWER.map((text) => ({ text })) : [callOf(tool, JSON.parse(toolArguments))];
}

function sendGemini(response: ServerResponse, parts: readonly object[], isStream: boolean): void {
  const chunks = parts.map((part, at) =>
    JSON.stringify({
      candidates: [
        {
          content: { role: 'model', parts: [part] },
          ...(at === parts.length - 1 && { finishReason: 'STOP' }),
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
      modelVersion: 'gemini-2.5-flash',
      responseId: `r${arrivals.length}`,
    }),
  );
  for (const chunk of chunks) response.write(isStream ? `data: ${chunk}\r\n\r\n` : chunk);
  response.end();
}

function sendOpenAi(response: ServerResponse, count: number, args: object | undefined): void {
  const id = `r${count}`;
  const item = args
    ? { type: 'function_call', id: `f${count}`, call_id: `c${count}`, name: reader, arguments: JSON.stringify(args) }
    : { type: 'message', id: `m${count}`, role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };
  const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
  const events = [
    { type: 'response.created', response: { id } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id, output: [item], usage } },
  ];
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}

// Longer than any run: an idle connection that is closed just as it is reused would count as a slow call.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.send?.(`http://127.0.0.1:${address?.port}`);
});
process.on('message', () => {
  process.send?.({ arrivals, filesRead } satisfies Seen);
  [arrivals, filesRead] = [[], 0];
});
process.on('disconnect', () => process.exit(0));
