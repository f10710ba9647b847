import { createInterface } from 'node:readline';
import { type Event, InMemoryRunner } from '@google/adk';
import { RemoteA2AAgent } from '@google/adk/a2a';

const { URL: address = '', TOKEN = '' } = process.env;
const APP = 'caller';
const USER = 'ada';

const plainFetch = globalThis.fetch;
// ADK's agent has no option for credentials, and its client uses this function.
globalThis.fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${TOKEN}`);
  return plainFetch(input, { ...init, headers });
};

/** The task that waits for an answer. ADK only knows questions of its own form, so its user says where an answer goes. */
let waiting: string | undefined;

const agent = new RemoteA2AAgent({
  name: 'gantry',
  agentCard: address,
  beforeRequestCallbacks: [
    (_, { message }) => {
      if (waiting !== undefined) message.taskId = waiting;
      waiting = undefined;
    },
  ],
  afterRequestCallbacks: [
    (_, response) => {
      if (response.kind === 'task') print({ task: response.id });
      if (response.kind !== 'status-update') return;
      print({ state: response.status.state });
      if (response.status.state === 'input-required') waiting = response.taskId;
    },
  ],
});

const runner = new InMemoryRunner({ agent, appName: APP });
let sessionId = '';
print({ ready: true });

for await (const line of createInterface({ input: process.stdin })) {
  // An empty line begins a new session.
  if (line === '') {
    ({ id: sessionId } = await runner.sessionService.createSession({ appName: APP, userId: USER }));
    waiting = undefined;
    continue;
  }
  const newMessage = { role: 'user', parts: [{ text: line }] };
  for await (const event of runner.runAsync({ userId: USER, sessionId, newMessage })) print(said(event));
  print({ end: true });
}

function said({ content, partial, errorMessage }: Event): Record<string, unknown> {
  const text = (content?.parts ?? []).flatMap((part) => (part.thought ? [] : (part.text ?? []))).join('');
  return { text, partial, errorMessage };
}

/** ADK also logs to the output. */
function print(value: Record<string, unknown>): void {
  process.stdout.write(`@${JSON.stringify(value)}\n`);
}
