import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { distDir } from '../support/dist.ts';
import { repoRoot } from '../support/repo.ts';
import { tempFolder } from '../support/temp-folder.ts';

const types = (): Promise<string> => readFile(join(distDir, 'gantry.d.ts'), 'utf8');

/** The events and kinds of custom events, as the types name them. */
async function eventsOf(text: string): Promise<readonly string[]> {
  const [, custom = ''] = /\nexport type CustomBody = ([\s\S]*?\n\});/.exec(text) ?? [];
  const types = text.matchAll(/^export \w+ \w+Event\b[\s\S]*?readonly type: '(\w+)'/gm);
  const kinds = custom.matchAll(/readonly kind: '(\w+)'/g);
  return [...types, ...kinds].map(([, name = '']) => name);
}

describe('The types for other extensions', () => {
  it('need nothing else, and fit the example extension', async function () {
    this.timeout(30_000);
    const folder = await tempFolder('api-types');
    await cp(join(repoRoot, 'docs', 'example-extension'), folder.path, { recursive: true });
    await cp(join(distDir, 'gantry.d.ts'), join(folder.path, 'gantry.d.ts'));
    await symlink(join(repoRoot, 'node_modules'), join(folder.path, 'node_modules'), 'junction');
    const compilerOptions = {
      strict: true,
      target: 'es2022',
      module: 'nodenext',
      types: ['node', 'vscode'],
      checkJs: true,
      noEmit: true,
      skipLibCheck: false,
    };
    const config = { compilerOptions, files: ['main.js', 'gantry.d.ts'] };
    await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(repoRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const checked = await promisify(execFile)(process.execPath, [tsc, '-p', folder.path]).catch(
      ({ stdout }: { readonly stdout: string }) => ({ stdout }),
    );
    assert.equal(checked.stdout, '');
    await folder.dispose();
  });

  it('have every event in docs/api.md', async () => {
    const [text, page] = await Promise.all([types(), readFile(join(repoRoot, 'docs', 'api.md'), 'utf8')]);
    const events = await eventsOf(text);
    assert.ok(events.includes('agent_end') && events.includes('loop'), `found only ${events.join(', ')}`);
    assert.deepEqual(
      events.filter((event) => !page.includes(`\`${event}\``)),
      [],
    );
  });

  it('promise nothing that exists only inside Gantry', async () => {
    assert.doesNotMatch(await types(), /\b(private|constructor|function|class|import|zod)\b[^*]*$/m);
  });
});
