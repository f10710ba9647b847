import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/**
 * Reads the shipped policy files as the product would, so that it doesn't need to at every start. Each pattern is
 * written as its source.
 */
export async function readShippedRules(/** @type {string} */ root) {
  const reader = buildSync({
    absWorkingDir: root,
    entryPoints: ['extension/policy/rules/read-rules.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    // The version for Node requires modules, which the text of a module can't.
    alias: { '@vscode/l10n': join(root, 'node_modules/@vscode/l10n/dist/browser.js') },
    write: false,
  });
  const { readRules } = await import(
    `data:text/javascript;base64,${Buffer.from(reader.outputFiles[0]?.contents ?? []).toString('base64')}`
  );
  const folder = join(root, 'extension/policy/shipped');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.toml'))
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const { rules, checkers, problems } = readRules(text, name, 'default');
      if (problems.length > 0) throw new Error(`${name}: ${JSON.stringify(problems)}`);
      return { text, rules: rules.map(written), checkers: checkers.map(written) };
    });
}

/** @type {(rule: { argsPattern?: { source: string } }) => object} */
const written = ({ argsPattern, ...rest }) => ({ ...rest, ...(argsPattern && { argsPattern: argsPattern.source }) });
