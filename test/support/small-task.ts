import type { WorkspaceFiles } from './temp-workspace.ts';

/** The commands of an agent that adds something to a small project and tests it. */
export const SMALL_TASK: readonly string[] = [
  'ls -la',
  'git status --short',
  'mkdir -p src test',
  `printf 'export const add = (a, b) => a + b;\\n' > src/add.mjs`,
  'node --check src/add.mjs',
  `printf 'import { add } from "../src/add.mjs";\\nif (add(1, 2) !== 3) throw new Error();\\n' > test/add.mjs`,
  'node test/add.mjs',
  'sed -i s/add/sum/g src/add.mjs test/add.mjs',
  'mv src/add.mjs src/sum.mjs',
  'sed -i s/add.mjs/sum.mjs/ test/add.mjs',
  'node test/add.mjs && echo fine',
  'cp test/add.mjs test/sum.mjs',
  'rm test/add.mjs',
  'sh build.sh',
  'git add -A',
  'git commit -qm "Add a sum"',
  'tar cf out.tar src',
];

/** The files of the project before the task. */
export const SMALL_PROJECT: WorkspaceFiles = { 'build.sh': 'mkdir -p dist && cp src/*.mjs dist/\n' };
