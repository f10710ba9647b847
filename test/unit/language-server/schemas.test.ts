import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { configSchemas, type SchemaKind } from '../../../extension/language-server/json/config-schemas.ts';
import { jsonSource } from '../../../extension/language-server/json/json-file-source.ts';
import { readProblems } from '../../../extension/language-server/json/read-problems.ts';
import { readJson } from '../../../extension/text/json-with-comments.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { schemaFiles } from '../../support/docs/schema-files.ts';
import { wildConfig } from '../../support/language-server/wild-config.ts';
import { repoRoot } from '../../support/repo.ts';
import { runs } from '../../support/test-size.ts';

const KINDS = {
  settings: { kind: 'settings', layer: 'user' },
  servers: { kind: 'servers', scope: 'user' },
  extension: { kind: 'extension' },
  hooks: { kind: 'hooks' },
} as const;

describe('The JSON schemas', () => {
  it('are what the readers accept: run "npm run schemas" after a change', () => {
    for (const { path, text } of schemaFiles()) assert.equal(readFileSync(path, 'utf8').replaceAll('\r\n', '\n'), text);
  });

  it('are contributed to VS Code, which has a schema of its own for the servers of a project', () => {
    const urls = manifest.contributes.jsonValidation.map(({ url }) => url);
    assert.deepEqual(
      urls.map((url) => join(repoRoot, url)).sort(),
      schemaFiles()
        .map(({ path }) => path)
        .sort(),
    );
    assert.ok(urls.every((url) => existsSync(join(repoRoot, url))));
    const matches = manifest.contributes.jsonValidation.flatMap(({ fileMatch }) => fileMatch);
    assert.ok(!matches.some((match) => match.includes('.vscode')));
  });

  for (const [name, kind] of Object.entries(KINDS)) {
    it(`find what the reader reports as found by them: ${name}`, () => {
      const schema = configSchemas()[kind.kind];
      // The library's type doesn't know the keywords of VS Code.
      const validator = new Validator(JSON.parse(JSON.stringify(schema)), '7', false);
      const source = jsonSource(kind, '/home/me/.gemini/settings.json', '/project');
      const check = (text: string): void => {
        const found = readProblems(source, text).filter((problem) => problem.foundBySchema && problem.kind !== 'json');
        if (found.length === 0) return;
        const read = readJson(text);
        assert.ok('value' in read);
        assert.equal(validator.validate(read.value).valid, false, JSON.stringify(found));
      };
      fc.assert(fc.property(wildConfig(kind.kind), check), { numRuns: runs(60, 2000) });
    });
  }
});

// The kinds of files are those that have a schema.
KINDS satisfies Record<SchemaKind, unknown>;
