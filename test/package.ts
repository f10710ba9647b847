import { parseArgs } from 'node:util';
import { print } from './support/output.ts';
import { makePackage } from './support/packaging/make-package.ts';
import { isTarget, TARGETS, type Target } from './support/packaging/targets.ts';
import { repoRoot } from './support/repo.ts';
import { describeError } from './support/reporter.ts';

/** Windows does not keep which files may be executed: what is packed there for another system would not run. */
const possible = TARGETS.filter((target) => process.platform !== 'win32' || target.startsWith('win32'));

const help = `npm run package -- [--target ${possible.join('|')}]
  without a target: one VSIX for each of them`;

function chosen(args: readonly string[]): readonly Target[] {
  const { target } = parseArgs({ args: [...args], options: { target: { type: 'string', short: 't' } } }).values;
  if (target === undefined) return possible;
  if (!isTarget(target) || !possible.includes(target)) throw new Error(`Cannot make a package for ${target} here.`);
  return [target];
}

async function main(): Promise<void> {
  const files: string[] = [];
  for (const target of chosen(process.argv.slice(2))) files.push(await makePackage(target, repoRoot));
  print(`\n${files.join('\n')}`);
}

main().catch((error: unknown) => {
  print(`${describeError(error)}\n${help}`);
  process.exit(1);
});
