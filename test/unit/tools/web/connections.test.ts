import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { repoRoot } from '../../../support/repo.ts';

const OPENS_CONNECTIONS =
  /\bfetch\(['"`]|\bglobalThis\.fetch\b|from '(?:node:)?(?:https?|http2|net|tls|dgram|undici)';/;

describe('Connections of tools', () => {
  it('are opened in one file and asked for in another, nowhere else', () => {
    const folder = join(repoRoot, 'extension', 'tools');
    const users = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => {
        const lines = readFileSync(join(folder, name), 'utf8').split('\n');
        // Types open nothing, and telling an address from a name does not either.
        const loading = lines.filter((line) => !/^import type |^import \{ isIP \} from/.test(line));
        return loading.some((line) => OPENS_CONNECTIONS.test(line));
      })
      .map((name) => name.replaceAll('\\', '/'));
    assert.deepEqual(users.sort(), ['web/pinned-fetch.ts', 'web/pinned-socket.ts']);
  });
});
