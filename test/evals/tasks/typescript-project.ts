/** A small TypeScript project with its tools installed: `npm test` bundles the tests and runs them. */
export const TYPESCRIPT_PROJECT = {
  'package.json': `{
  "name": "shop",
  "private": true,
  "type": "module",
  "scripts": { "test": "node scripts/test.mjs", "types": "node node_modules/typescript/bin/tsc --noEmit" }
}
`,
  'tsconfig.json': `{
  "compilerOptions": { "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true, "allowImportingTsExtensions": true, "types": [] },
  "include": ["src"]
}
`,
  'scripts/test.mjs': `import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { build } from 'esbuild';

const tests = readdirSync('test').filter((name) => name.endsWith('.test.ts'));
const entryPoints = tests.map((name) => \`test/\${name}\`);
await build({ entryPoints, outdir: '.build', bundle: true, platform: 'node', format: 'esm', outExtension: { '.js': '.mjs' } });
const files = tests.map((name) => \`.build/\${name.replace('.ts', '.mjs')}\`);
process.exit(spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1);
`,
  '.gitignore': 'node_modules\n.build\n',
};

export const TYPESCRIPT_PACKAGES = ['esbuild', 'typescript'];

/** A test file for Node's own test runner. */
export const testFile = (imports: string, body: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n${imports}\n\n${body}`;

export const ASSERT = "import assert from 'node:assert/strict';\n";
