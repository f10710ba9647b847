import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import type { RequestFailure } from './connection-types.ts';

/** The SDK's numbers. */
const CONNECTION_CLOSED = -32_000;
const REQUEST_TIMEOUT = -32_001;

/** Errors of the SDK, of `fetch` and of processes, as what follows from them. */
export function failureOf(error: unknown, whyEnded?: string): RequestFailure {
  const message = messageOf(error);
  const code = codeOf(error);
  if (code === 401 || error instanceof UnauthorizedError) {
    return { kind: 'sign-in', message: 'It wants you to sign in.', isUntouched: true };
  }
  if (code === REQUEST_TIMEOUT) return { kind: 'timeout', message };
  if (code === CONNECTION_CLOSED) return { kind: 'closed', message: whyEnded ?? message };
  // What a server answers that has forgotten the session, such as after a restart.
  if (code === 404) return { kind: 'closed', message, isUntouched: true };
  return { kind: code === undefined && isNetwork(error) ? 'closed' : 'error', message };
}

function codeOf(error: unknown): number | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : undefined;
}

function isNetwork(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.message === 'Not connected');
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_MESSAGE);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message.replace(/^MCP error -?\d+: /, '')}${cause}`.slice(0, MAX_MESSAGE);
}

const MAX_MESSAGE = 2000;
