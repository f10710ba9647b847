import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, it } from 'mocha';
import { deliverOneByOne } from '../../../extension/mcp/connection.ts';

/** A server that tells of its progress and answers in one go, as one that writes both into a pipe at once does. */
function hastyServer(): Transport {
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => {
      if (!('id' in message) || !('method' in message)) return;
      const { id, method, params } = message;
      if (method === 'initialize') {
        const serverInfo = { name: 'hasty', version: '1' };
        tell({
          jsonrpc: '2.0',
          id,
          result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
        });
        return;
      }
      const progressToken = params?._meta?.progressToken ?? 0;
      for (const progress of [1, 2, 3]) {
        tell({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
      }
      tell({ jsonrpc: '2.0', id, result: { content: [] } });
    },
  };
  const tell = (message: JSONRPCMessage): void => transport.onmessage?.(message);
  return transport;
}

describe('What an MCP server says at once', () => {
  it('arrives whole and in order: also the last progress before the answer', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = hastyServer();
    await client.connect(transport);
    deliverOneByOne(transport);
    const seen: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }): void => void seen.push(progress);
    await client.callTool({ name: 'x' }, undefined, { onprogress });
    assert.deepEqual(seen, [1, 2, 3]);
  });
});
