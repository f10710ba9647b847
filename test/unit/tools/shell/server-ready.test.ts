import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { serverReady } from '../../../../extension/tools/shell/server-ready.ts';

const SERVERS: Readonly<Record<string, readonly [output: string, url: string | undefined]>> = {
  Vite: [
    '  VITE v7.1.0  ready in 312 ms\n\n  ➜  Local:   http://localhost:5173/\n  ➜  Network: use --host to expose\n',
    'http://localhost:5173/',
  ],
  'Next.js': ['  ▲ Next.js 15\n  - Local:        http://localhost:3000\n ✓ Ready in 1.2s\n', 'http://localhost:3000'],
  Express: ['Example app listening on port 3000\n', undefined],
  'a server with its address': ['Server listening at http://127.0.0.1:8080.\n', 'http://127.0.0.1:8080'],
  Python: ['Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...\n', 'http://0.0.0.0:8000/'],
  Flask: [' * Running on http://127.0.0.1:5000\nPress CTRL+C to quit\n', 'http://127.0.0.1:5000'],
  TypeScript: ['12:00:00 - Found 0 errors. Watching for file changes.\n', undefined],
  nodemon: ['[nodemon] watching path(s): *.*\n[nodemon] starting `node app.js`\n', undefined],
  webpack: ['webpack 5.9 compiled successfully in 1200 ms\n', undefined],
  Rails: ['* Listening on http://127.0.0.1:3000\nUse Ctrl-C to stop\n', 'http://127.0.0.1:3000'],
};

const OTHERS: Readonly<Record<string, string>> = {
  'a test run': '  12 passing (3s)\n  1 failing\n',
  'an address alone': 'Fetching https://example.com/a.tar.gz\n',
  'an install': 'added 12 packages, and audited 13 packages in 2s\n',
  'a build': 'Building for production...\n',
  nothing: '',
};

describe('An output', () => {
  for (const [name, [output, url]] of Object.entries(SERVERS)) {
    it(`of ${name} is that of something that stays`, () => assert.deepEqual(serverReady(output), { url }));
  }
  for (const [name, output] of Object.entries(OTHERS)) {
    it(`with ${name} is not`, () => assert.equal(serverReady(output), undefined));
  }
});
