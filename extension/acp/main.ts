import { Readable, Writable } from 'node:stream';
import { type AgentConnection, type AgentRequestContext, agent, ndJsonStream } from '@agentclientprotocol/sdk';
import type { Problem } from '../protocol/agent/problem.ts';
import { AgentMethods, type AgentParts } from './agent-methods.ts';
import { AcpClient } from './client.ts';
import { requestError } from './errors.ts';

export interface AcpSurroundings extends Omit<AgentParts, 'client'> {
  readonly input: Readable;
  /** For the protocol alone. */
  readonly output: Writable;
  /** Ends the connection. */
  readonly interrupted: AbortSignal;
}

/** Serves one client over a pair of streams, until it closes them. */
export async function serveAcp({ input, output, interrupted, ...parts }: AcpSurroundings): Promise<void> {
  const { log, wording } = parts;
  const failed = (error: unknown): void => log.debug(`An update did not reach the client: ${String(error)}`);
  const client = new AcpClient(() => connection, failed);
  const methods = new AgentMethods({ ...parts, client });
  const app = agentApp(methods, (problem) => wording.problem(problem));
  const connection: AgentConnection = app.connect(ndJsonStream(Writable.toWeb(output), webInput(input)));
  const stop = (): void => connection.close();
  interrupted.addEventListener('abort', stop, { once: true });
  output.once('error', stop);
  if (interrupted.aborted) stop();
  try {
    await connection.closed;
  } finally {
    interrupted.removeEventListener('abort', stop);
    await methods.dispose();
    // An open pipe would keep the process alive.
    input.destroy();
  }
}

function agentApp(methods: AgentMethods, textOf: (problem: Problem) => string) {
  const answering =
    <Params, Response>(handle: (params: Params, signal: AbortSignal) => Promise<Response>) =>
    async ({ params, signal }: AgentRequestContext<Params>): Promise<Response> => {
      try {
        return await handle(params, signal);
      } catch (error) {
        throw requestError(error, textOf);
      }
    };
  return agent({ name: 'gantry' })
    .onRequest(
      'initialize',
      answering(async (params) => methods.initialize(params)),
    )
    .onRequest(
      'authenticate',
      answering(async ({ methodId }) => {
        await methods.authenticate(methodId);
        return {};
      }),
    )
    .onRequest(
      'session/new',
      answering(async (params) => {
        const response = await methods.create(params);
        methods.announceCommands(response.sessionId);
        return response;
      }),
    )
    .onRequest(
      'session/load',
      answering(async (params) => {
        const response = await methods.open(params.sessionId, params, true);
        methods.announceCommands(params.sessionId);
        return response;
      }),
    )
    .onRequest(
      'session/resume',
      answering(async (params) => {
        const { sessionId, mcpServers = [], ...rest } = params;
        const response = await methods.open(sessionId, { ...rest, mcpServers }, false);
        methods.announceCommands(sessionId);
        return response;
      }),
    )
    .onRequest(
      'session/list',
      answering((params) => methods.list(params)),
    )
    .onRequest(
      'session/delete',
      answering(async ({ sessionId }) => {
        await methods.delete(sessionId);
        return {};
      }),
    )
    .onRequest(
      'session/close',
      answering(async ({ sessionId }) => {
        await methods.close(sessionId);
        return {};
      }),
    )
    .onRequest(
      'session/set_mode',
      answering(async ({ sessionId, modeId }) => {
        await methods.setMode(sessionId, modeId);
        return {};
      }),
    )
    .onRequest(
      'session/set_config_option',
      answering((params) => methods.setOption(params)),
    )
    .onRequest(
      'session/prompt',
      answering((params, signal) => methods.prompt(params, signal)),
    )
    .onNotification('session/cancel', ({ params: { sessionId } }) => methods.cancel(sessionId));
}

/** The types of Node and of the web differ in what they say about buffers. */
function webInput(input: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(input) as ReadableStream<Uint8Array>;
}
