import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { after, before, describe, it } from 'mocha';
import { distDir } from '../support/dist.ts';
import { makePackage } from '../support/packaging/make-package.ts';
import { programPlatform } from '../support/packaging/program-platform.ts';
import { TARGETS, thisTarget } from '../support/packaging/targets.ts';
import { repoRoot } from '../support/repo.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { readZip, type ZipEntry } from '../support/zip.ts';

const kB = 1000;
const MB = 1000 * kB;

describe('The production bundles', () => {
  it('keep extension.js and headless.js below 5 kB: they only load what was compiled by an earlier start', () => {
    for (const name of ['extension.js', 'headless.js']) assertBelow(statSync(join(distDir, name)).size, 5 * kB);
  });

  it('keep surface.js below 140 kB: it is loaded at activation', () => {
    assertBelow(statSync(join(distDir, 'surface.js')).size, 140 * kB);
  });

  it('keep command-line.js below 60 kB: every run of the command line loads it', () => {
    assertBelow(statSync(join(distDir, 'command-line.js')).size, 60 * kB);
  });

  it('keep runtime.js below 1.7 MB: all of it is compiled before the first request', () => {
    assertBelow(statSync(join(distDir, 'runtime.js')).size, 1.7 * MB);
  });

  it('have only ASCII in the runtime: with any other character, V8 takes twice the memory for it', () => {
    assert.equal(readFileSync(join(distDir, 'runtime.js'), 'utf8').search(/[^\p{ASCII}]/u), -1);
  });

  it('have OpenTelemetry in a bundle of its own, below 130 kB, which is loaded only if telemetry is on', () => {
    assertBelow(statSync(join(distDir, 'later/telemetry.js')).size, 130 * kB);
    for (const name of ['surface.js', 'command-line.js', 'runtime.js'])
      assert.ok(!readFileSync(join(distDir, name), 'utf8').includes('resourceSpans'), name);
  });

  it('have no tracer of ADK: its spans would go to the SDK of another extension', () => {
    const text = readFileSync(join(distDir, 'runtime.js'), 'utf8');
    assert.ok(text.includes('call_llm'));
    assert.ok(!text.includes('opentelemetry.js.api'));
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

  it('have neither ADK nor the SDK nor zod in surface.js', () => {
    const text = readFileSync(join(distDir, 'surface.js'), 'utf8');
    for (const trace of ['adk_agent_name', 'x-goog-api-client', '_zod']) assert.ok(!text.includes(trace), trace);
  });
});

const full = process.env['GANTRY_TEST_SIZE'] === 'full';

/** Making all takes half a minute. They differ in a few files, so one shows most of it. */
for (const target of full ? TARGETS : TARGETS.filter((each) => each === thisTarget())) {
  describe(`The VSIX for ${target}`, function () {
    // Programs for other platforms come from npm the first time.
    this.timeout(120_000);
    let folder: TempFolder;
    let path: string;
    let files: readonly ZipEntry[];

    before(async () => {
      folder = await tempFolder('vsix');
      path = await makePackage(target, folder.path);
      files = readZip(path);
    });
    after(() => folder.dispose());

    it('holds exactly the files of test/fixtures/vsix-files.txt, and those that are programs can be executed', () => {
      const golden = readFileSync(join(repoRoot, 'test/fixtures/vsix-files.txt'), 'utf8');
      const expected = golden.split('\n').flatMap((line) => {
        const [, targets, name] = /^(?:\[(.*)\] )?(.+)$/.exec(line) ?? [];
        if (name === undefined || targets?.split(' ').includes(target) === false) return [];
        // Windows does not know what can be executed.
        return [process.platform === 'win32' ? name.replace('*', '') : name];
      });
      const found = files.map(({ name, mode }) => `${name}${(mode & 0o111) === 0 ? '' : '*'}`);
      assert.deepEqual(found.sort(), expected.sort());
    });

    it('has the programs of its platform, and is marked with it', () => {
      const programs = files.flatMap(({ name, read }) => (isProgram(name) ? [read()] : []));
      assert.deepEqual(new Set(programs.map(programPlatform)), new Set([target.replace('alpine', 'linux')]));
      // On Alpine, the loader of the usual libc is not there.
      if (target === 'alpine-x64') assert.ok(programs.every((program) => !program.includes('ld-linux')));
      const manifest = files
        .find(({ name }) => name === 'extension.vsixmanifest')
        ?.read()
        .toString();
      assert.match(manifest ?? '', new RegExp(` TargetPlatform="${target}"`));
    });

    it('is smaller than 6.75 MB and has no source maps', () => {
      assertBelow(statSync(path).size, 6.75 * MB);
      assert.deepEqual(
        files.filter(({ name }) => name.endsWith('.map')),
        [],
      );
    });
  });
}

function isProgram(name: string): boolean {
  return /(\.node|\.exe|\.dll|\/rg|\/spawn-helper)$/.test(name);
}

function assertBelow(actual: number, limit: number): void {
  assert.ok(actual > 0 && actual <= limit, `${actual} is not within ${limit}`);
}
