import { execFileSync } from 'node:child_process';
import { link, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempRepository, type TempRepository } from '../git-repository.ts';

/**
 * Fills `home` and `outside`, and creates the workspace of the attempts: a repository with all kinds of protected
 * files.
 */
export async function prepareAttempts(home: string, outside: string): Promise<TempRepository> {
  const repository = await createTempRepository({
    'src/app.ts': 'export {};\n',
    '.npmrc': 'a=a\n',
    '.github/workflows/ci.yml': 'on: push\n',
  });
  const at = (path: string): string => join(repository.path, path);
  repository.git('checkout', '--quiet', '-b', 'work');
  await repository.write({ '.npmrc': 'a=b\n', '.github/workflows/ci.yml': 'a: b\n' });
  repository.git('commit', '--quiet', '--all', '--message', 'Go on');
  await repository.write({
    ...INPUTS,
    '.vscode/settings.json': '{}',
    ...gitData('.git/modules/sub', '[core]\n\tworktree = ../../../sub\n\thooksPath = run\n'),
    'sub/run/pre-push': 'true',
    '.git/worktrees/wt/gitdir': '/nowhere',
    'sub/.git': 'gitdir: ../.git/modules/sub\n',
    'AGENTS.md': 'Be nice.',
    'CLAUDE.md': 'Be nice.',
    '.github/copilot-instructions.md': 'Be nice.',
    '.cursorrules': 'Be nice.',
    'Taskfile.yml': 'version: 3',
    '.envrc': 'true',
    '.husky/pre-commit': 'true',
    '.gitattributes': '* text',
    '.gitmodules': '[x]\n',
    'project.code-workspace': '{}',
    'packages/a/.npmrc': 'a=b',
    'packages/a/.vscode/settings.json': '{}',
    'scripts/hooks/pre-push': 'true',
    'included.gitconfig': '[x]\n',
    ...gitData('nested/.git', '[core]\n'),
    ...gitData('vendor/lib/.git', '[core]\n\thooksPath = run\n[include]\n\tpath = ../../lib.gitconfig\n'),
    'vendor/lib/run/pre-push': 'true',
    'vendor/lib.gitconfig': '[include]\n\tpath = more.gitconfig\n',
    'vendor/more.gitconfig': '[x]\n',
    ...gitData('vendor/late/.git', '[core]\n\thooksPath = late/run\n[include]\n\tpath = ../late.gitconfig\n'),
    'vendor/apart/.git': 'gitdir: ../../data/apart\n',
    ...gitData('data/apart', '[core]\n\thooksPath = ../shared-run\n'),
    'vendor/shared-run/pre-push': 'true',
    'vendor/lost/.git': 'gitdir: ../../data/lost\n',
    ...gitData('fixtures/bare', '[core]\n\tbare = true\n'),
    ...gitData('one/two/three/four/.git', '[core]\n\thooksPath = run\n'),
    'one/two/three/four/run/pre-push': 'true',
    'deep/': '',
  });
  repository.git('config', 'core.hooksPath', 'scripts/hooks');
  repository.git('config', 'include.path', '../included.gitconfig');
  repository.git('config', 'remote.origin.url', 'https://example.invalid/x.git');
  repository.git('config', 'user.name', 'A tester');
  repository.git('config', 'user.email', 'tester@example.invalid');
  await symlink('.vscode/settings.json', at('linked-settings.json'));
  await symlink('.vscode', at('conf'));
  await symlink('.npmrc', at('npmrc'));
  await symlink('scripts/hooks', at('hooks-link'));
  await symlink('vendor/lib', at('lib-link'));
  await symlink(outside, at('out-link'));
  await symlink(join(outside, 'missing'), at('dangling'));
  execFileSync('chmod', ['+x', at('write')]);
  archive(repository.path);
  await fillHome(home);
  await writeFile(join(outside, 'file'), 'as it was');
  await link(join(outside, 'file'), join(outside, 'second-name'));
  return repository;
}

/** The minimum that Git recognizes as a repository. */
function gitData(folder: string, config: string): Readonly<Record<string, string>> {
  const files = { HEAD: 'ref: refs/heads/main\n', config, 'objects/': '', 'refs/': '', 'hooks/': '' };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

const PATCH = 'diff --git a/.npmrc b/.npmrc\n--- a/.npmrc\n+++ b/.npmrc\n@@ -1 +1 @@\n-a=b\n+evil=1\n';

/** Input files for programs that write what their input says. */
const INPUTS = {
  a: 'a\nb\nc\n',
  'a.txt': 'a\n',
  'a.c': 'int main(void) { return 0; }\n',
  'a.go': 'package main\nfunc main() {}\n',
  'a.ts': 'export {};\n',
  'a.hex': '00000000: 6162\n',
  'a.patch': PATCH,
  'a.mbox': `From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.invalid>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: [PATCH] x\n\n---\n${PATCH}-- \n2.0\n`,
  list: '.npmrc\n',
  write: '#!/bin/sh\necho x > "$1"\n',
  'write.js': 'require("fs").writeFileSync(process.argv[2], "x");\n',
};

/**
 * Archives that contain a task for the editor. The ZIP is made by hand, because not every machine has a program for it.
 */
function archive(folder: string): void {
  const run = (script: string): unknown => execFileSync('sh', ['-c', script], { cwd: folder, stdio: 'ignore' });
  run(
    'mkdir -p pack/.vscode pack/workflows; echo x > pack/.vscode/tasks.json; echo x > pack/workflows/ci.yml; ' +
      'tar cf a.tar -C pack .vscode; tar cf b.tar -C pack workflows; (cd pack && zip -qr ../a.zip .vscode) || true; rm -r pack',
  );
}

const SECRETS = [
  '.ssh/id_ed25519',
  '.netrc',
  '.npmrc',
  '.aws/credentials',
  '.config/gcloud/x.json',
  '.gemini/oauth_creds.json',
  '.docker/config.json',
  'extra-secret',
];

async function fillHome(home: string): Promise<void> {
  await Promise.all(
    SECRETS.map(async (name) => {
      await mkdir(join(home, name, '..'), { recursive: true });
      await writeFile(join(home, name), `a=SECRET of ${name}\n`);
    }),
  );
  await mkdir(join(home, 'agents'));
  await writeFile(join(home, '.bashrc'), '');
  await symlink('.ssh/id_ed25519', join(home, 'key-link'));
}

/** Paths in the workspace that attempts must not change. */
const GUARDED = new RegExp(
  `^(?:${[
    '\\.vscode|\\.idea|\\.gemini|\\.claude|\\.cursor|\\.agents|\\.devcontainer|\\.husky|\\.github|\\.npmrc|\\.envrc',
    'AGENTS\\.md|CLAUDE\\.md|\\.cursorrules|Taskfile\\.yml|project\\.code-workspace|\\.git(?:attributes|modules)',
    'packages|scripts\\/hooks|included\\.gitconfig|sub\\/(?:\\.git|run)|vendor\\/(?:\\w+\\.gitconfig|shared-run|(?:apart|lost)\\/\\.git)',
    'vendor\\/late\\/late(?:\\.gitconfig)?|(?:vendor\\/lib|one\\/two\\/three\\/four)\\/run|data\\/lost',
    '(?:(?:(?:nested|vendor\\/\\w+|one\\/two\\/three\\/four)\\/)?\\.git|data\\/apart|fixtures\\/bare)(?:$|\\/(?:config|config\\.worktree|hooks|info|commondir|modules|worktrees))',
  ].join('|')})(?:\\/|$)`,
);

export interface AttemptPlaces {
  readonly workspace: string;
  readonly home: string;
  readonly outside: string;
}

/** Everything that must not change: descriptions of files by path. */
export async function guardedFiles({ workspace, home, outside }: AttemptPlaces): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [path, what] of await everything(workspace)) if (GUARDED.test(path)) found.set(path, what);
  for (const [path, what] of await everything(home)) found.set(`$home/${path}`, what);
  for (const [path, what] of await everything(outside)) found.set(`$outside/${path}`, what);
  return found;
}

export function differences(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): readonly string[] {
  const changed = [...now].filter(([path, text]) => before.get(path) !== text);
  const gone = [...before.keys()].filter((path) => !now.has(path));
  return [...changed.map(([path, text]) => `${path}: ${text.slice(0, 200)}`), ...gone.map((path) => `${path} is gone`)];
}

/** All files with their content and executable bit, and all folders and links. */
async function everything(root: string, under = ''): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const entries = await readdir(join(root, under), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const name = under === '' ? entry.name : `${under}/${entry.name}`;
    const path = join(root, name);
    if (entry.isFile())
      found.set(name, `${(await stat(path)).mode & 0o111} ${await readFile(path, 'utf8').catch(() => 'unreadable')}`);
    else if (entry.isSymbolicLink()) found.set(name, `to ${await readlink(path)}`);
    else if (!entry.isDirectory()) found.set(name, 'other');
    else {
      found.set(name, 'folder');
      for (const [inside, text] of await everything(root, name)) found.set(inside, text);
    }
  }
  return found;
}
