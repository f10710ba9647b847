import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isFullRun } from '../test-size.ts';
import { type Attempt, PROTECTED, rare } from './protected-attempts.ts';

/**
 * Attempts on protected files that only the run names. Every line asks in yolo mode unless the sandbox confines it, and in
 * the other modes as every line that can't be judged.
 */
export const NAMED_AT_RUN_TIME: readonly string[] = [
  'sed -i s/a=b/PWN/ $(git ls-files)',
  'sed -i s/a=b/PWN/ `git ls-files`',
  'for f in $(git ls-files); do echo PWN > "$f"; done',
  'git ls-files | while read f; do echo PWN > "$f"; done',
  'x=$(git ls-files | head -n 1); tee "$x"',
  'x=$(printf .%src npm); cp a $x',
  'set -- $(git ls-files); rm "$1"',
  'read x <<< $(printf .%src npm); tee $x',
  'cd $(printf .%s vscode); echo PWN > settings.json',
  'cd "$(printf .%s vscode)" && rm settings.json',
  'mv a $(printf .%src npm)',
  'printf -v x .%src npm; x=$x; tee $x',
  'IFS=q; x=aq.npmrcq; tee $x',
  'x=a; x+=$(printf .); for f in a; do x=.npm; x=${x}rc; tee $x; done',
  "bash -c 'tee $(printf .%src npm)'",
  'curl -so $(printf .%src npm) file://$PWD/a',
  'uniq a $(printf .%src npm)',
  'cd src; echo PWN > ~-/scripts/hooks/pre-push',
  'CDPATH=scripts; cd hooks; echo PWN > pre-push',
  'cp a rc; curl -so ".npm#1" "file://$PWD/{rc,x}"',
];

/** Attempts on plain paths outside the workspace. Without a sandbox, rules decide about them and may allow them. */
export const OUTSIDE: readonly (string | Attempt)[] = [
  'echo PWN > $outside/file',
  'echo PWN > $outside/new',
  'mkdir $home/new; echo PWN > $home/new/x',
  'echo PWN >> $home/.bashrc',
  'rm -rf $outside; mkdir $outside; echo PWN > $outside/file',
  'mv $outside $outside-2; echo PWN > $outside/file',
  'echo PWN > /proc/self/root$outside/file',
  rare('echo PWN > /proc/1/root$outside/file'),
  rare('echo PWN > /proc/$$/cwd/../../../$outside/file'),
  'ln -s $outside away; echo PWN > away/file',
  'ln $outside/file hard; echo PWN > hard',
  'ln -s / slash; echo PWN > slash$outside/file',
  'cd $outside; echo PWN > file',
  'cp --preserve=all -l $outside/file hard-2; echo PWN > hard-2',
  'mount -o remount,rw $outside; echo PWN > $outside/file',
  rare('nsenter -t 1 -m sh -c "echo PWN > $outside/file"'),
  rare('chroot / sh -c "echo PWN > $outside/file"'),
  'rm $outside/file',
  'truncate -s 0 $outside/second-name',
  'cp a $outside/copied',
  'git init -q $outside/repository',
  'tar -C $outside -x -f a.tar',
];

/** Attempts that print what they find. */
export const READS: readonly Attempt[] = [
  'cat $home/.ssh/id_ed25519',
  'cat $home/.netrc',
  'cat $home/.npmrc',
  'cat $home/.aws/credentials',
  'cat $home/.config/gcloud/x.json',
  'cat $home/.gemini/oauth_creds.json',
  'cat $home/.docker/config.json',
  'cat $home/key-link',
  'cat /proc/self/root$home/.ssh/id_ed25519',
  'cd $home; cat .ssh/*',
  'cp -r $home/.ssh stolen; cat stolen/*',
  'ln -s $home/.ssh keys; cat keys/id_ed25519',
  'grep -rs "" $home',
  'tar c $home',
  'find $home -type f -exec cat {} +',
  'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep SECRET_OF_OTHERS',
  'exec 3<>/dev/tcp/127.0.0.1/$port; cat <&3',
].map((line) => ({ line }));

/** Attempts that change files, by what they are about. */
export const WRITES: readonly (readonly [about: string, attempts: readonly Attempt[]])[] = Object.entries({
  ...PROTECTED,
  'files named at run time': NAMED_AT_RUN_TIME,
  'files outside the workspace': OUTSIDE,
}).map(([about, attempts]) => [
  about,
  attempts.map((attempt) => (typeof attempt === 'string' ? { line: attempt } : attempt)),
]);

/** The attempts that are possible on this machine, in this run. */
export function possible(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.filter(({ needs = '', isSlow }) => (!isSlow || isFullRun) && needs.split(' ').every(isInstalled));
}

function isInstalled(program: string): boolean {
  if (program === '') return true;
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
