import { appendFileSync } from 'node:fs';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { sampleServer, serverWith } from './sample-server.ts';

/**
 * Tests start this as a separate process: node stdio-server.mjs <manner> [file that gets a line for each start]
 * All manners but the first two misbehave.
 */
const [manner = 'good', startsFile] = process.argv.slice(2);
if (startsFile !== undefined) appendFileSync(startsFile, `${process.pid}\n`);

async function serve(server = sampleServer()): Promise<void> {
  await server.connect(new StdioServerTransport());
}

switch (manner) {
  case 'good':
    await serve();
    break;
  case 'twenty':
    await serve(serverWith(20));
    break;
  case 'garbage':
    process.stdout.write('Welcome to my server!\n\u0000\u0001{"jsonrpc": "1.0"}\n[]\nnull\n');
    await serve();
    break;
  case 'only-garbage':
    process.stdin.on('data', () => process.stdout.write('{"what": "is this"}\n'));
    break;
  case 'hangs':
    process.stdin.resume();
    break;
  case 'exits':
    process.stderr.write('no configuration found\n');
    process.exit(7);
    break;
  case 'huge-list': {
    const server = sampleServer();
    server.registerTool('long', { description: 'x'.repeat(20 * 1024 * 1024) }, () => ({ content: [] }));
    await serve(server);
    break;
  }
  case 'noisy':
    process.stderr.write('x'.repeat(20 * 1024 * 1024));
    await serve();
    break;
  case 'stubborn':
    // Ends neither with its input nor on request.
    process.on('SIGTERM', () => undefined);
    setInterval(() => undefined, 1000);
    await serve();
    break;
  default:
    throw new Error(`There is no manner "${manner}".`);
}
