import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { after, before, describe, it } from 'mocha';
import { distDir } from '../support/dist.ts';
import { repoRoot } from '../support/repo.ts';

const kB = 1000;
const MB = 1000 * kB;
describe('The production bundles', () => {
  it('keep extension.js below 150 kB: it is loaded at activation', () => {
    assertBelow(statSync(join(distDir, 'extension.js')).size, 150 * kB);
  });

  it('keep runtime.js below 2 MB', () => {
    assertBelow(statSync(join(distDir, 'runtime.js')).size, 2 * MB);
  });

  it('keep the JavaScript of the webview below 250 kB gzip', () => {
    const scripts = readdirSync(join(distDir, 'webview')).filter((name) => name.endsWith('.js'));
    const sizes = scripts.map((name) => gzipSync(readFileSync(join(distDir, 'webview', name))).length);
    assert.ok(sizes.length > 0);
    assertBelow(
      sizes.reduce((sum, size) => sum + size, 0),
      250 * kB,
    );
  });

  it('have neither ADK nor the SDK nor zod in extension.js', () => {
    const text = readFileSync(join(distDir, 'extension.js'), 'utf8');
    for (const trace of ['adk_agent_name', 'x-goog-api-client', '_zod']) assert.ok(!text.includes(trace), trace);
  });
});

describe('The VSIX', function () {
  // vsce looks at every file of the repository, the downloaded VS Codes included.
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'gantry-vsix-'));
  const path = join(folder, 'gantry.vsix');

  before(async () => {
    await createVSIX({
      cwd: repoRoot,
      packagePath: path,
      dependencies: false,
      rewriteRelativeLinks: false,
      allowMissingRepository: true,
    });
  });
  after(() => rmSync(folder, { recursive: true }));

  it('holds exactly the files of test/fixtures/vsix-files.txt', async () => {
    const files = await listFiles({ cwd: repoRoot, packageManager: PackageManager.None });
    const golden = readFileSync(join(repoRoot, 'test/fixtures/vsix-files.txt'), 'utf8');
    const named = files.map((file) => file.replaceAll(`${process.platform}-${process.arch}`, 'PLATFORM'));
    assert.equal(`${named.sort().join('\n')}\n`, golden);
  });

  it('is smaller than 6 MB and has no source maps', async () => {
    assertBelow(statSync(path).size, 6 * MB);
    const names = readFileSync(path, 'latin1');
    assert.ok(!names.includes('.js.map'));
  });
});

function assertBelow(actual: number, limit: number): void {
  assert.ok(actual > 0 && actual <= limit, `${actual} is not within ${limit}`);
}
