import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FirstCommand } from '../../../../extension/runtime/commands/first-command.ts';

describe('What the first command needs', () => {
  let server: Server;
  let url: string;

  beforeEach(async () => {
    server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address);
    url = `http://127.0.0.1:${address.port}`;
  });
  afterEach(() => void server.close());

  const ask = (): Promise<Response> => fetch(url, { method: 'POST', body: '{}' });

  it('is loaded once, in order, after the first request has left, whatever fails', async () => {
    const loaded: string[] = [];
    let last = (): void => undefined;
    const isLast = new Promise<void>((resolve) => {
      last = resolve;
    });
    const parts = [
      () => Promise.reject(new Error('no sandbox')),
      async () => void loaded.push('grammar'),
      async () => {
        loaded.push('terminal');
        last();
      },
    ];
    const first = new FirstCommand();
    first.prepare({ isTrusted: () => true, parts });
    assert.deepEqual(loaded, [], 'nothing delays the request');
    await ask();
    await isLast;
    first.prepare({ isTrusted: () => true, parts });
    await ask();
    assert.deepEqual(loaded, ['grammar', 'terminal']);
  });

  it('is not loaded in a folder where commands are off', async () => {
    const loaded: string[] = [];
    new FirstCommand().prepare({ isTrusted: () => false, parts: [async () => void loaded.push('grammar')] });
    await ask();
    assert.deepEqual(loaded, []);
  });
});
