import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** What a model can be told about is a thousandth of it; a picture in full resolution still fits. */
export const MAX_SERVER_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Chosen by us, in the range that JSON-RPC leaves to programs. */
const TOO_LARGE = -32_050;

/** An answer in place of one that was too large, when its ends tell which request it was for. */
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
