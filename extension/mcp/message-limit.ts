import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** A model can only read a thousandth of it, but an image in full resolution still fits. */
export const MAX_SERVER_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Our own code, in the range that JSON-RPC reserves for applications. */
const TOO_LARGE = -32_050;

/** An error that replaces a response that was too large, if its beginning or end contains the id of the request. */
export function tooLargeAnswer(head: string, tail: string): JSONRPCMessage | undefined {
  const [, atHead] = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,/.exec(head) ?? [];
  const [, atTail] = /[,{]\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail) ?? [];
  const id = atHead ?? atTail;
  return id === undefined ? undefined : tooLargeFor(Number(id));
}

export function tooLargeFor(id: number): JSONRPCMessage {
  const message = `The answer was larger than ${MAX_SERVER_MESSAGE_BYTES / 1024 / 1024} MB and was dropped. Ask for less.`;
  return { jsonrpc: '2.0', id, error: { code: TOO_LARGE, message } };
}
