import { foldPath, isShortNameOf } from '../files/fold-path.ts';

export interface ProtectedPath {
  /** For people: what kind of file it is. */
  readonly what: string;
}

/** A place without a protected name that some program reads because its settings name it. */
export interface NamedPlace extends ProtectedPath {
  /** Relative to the root of the workspace, or absolute. */
  readonly path: string;
}

/** `root` is a folder of the workspace. */
export type FindNamed = (root: string) => Promise<readonly NamedPlace[]>;

export interface ProtectedPlaces {
  readonly home: string;
  readonly roots: readonly string[];
  readonly named?: readonly NamedPlace[];
}

/** Protected files, and folders with everything in them, by kind. Names are written as `foldPath` returns them. */
const NAMES: Readonly<Record<string, string>> = {
  'settings of an editor': '.vscode .vscode-server .vscode-insiders .idea .fleet .zed .nova .vs .project .classpath',
  'settings of an agent': `.gemini .gantry .claude .claude.json .cursor .roo .cline .clinerules .codex .continue .windsurf
    .kilocode .kiro .qwen .aider.conf.yml .mcp.json mcp.json .cursorrules .windsurfrules`,
  'instructions for agents': 'gemini.md agents.md claude.md .agents',
  'internal data of a repository': '.git .hg .svn .bzr .jj .gitattributes .gitmodules .gitconfig .hgrc',
  'hooks of a repository': `.husky .githooks .pre-commit-config.yaml .pre-commit-config.yml .lefthook .overcommit.yml
    .lintstagedrc .simple-git-hooks.json`,
  'a CI build': `.gitlab-ci.yml .gitlab-ci.yaml .circleci .travis.yml .drone.yml .woodpecker
    .woodpecker.yml .buildkite jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml appveyor.yml .cirrus.yml`,
  'a container that is opened as a workspace': '.devcontainer .devcontainer.json .gitpod.yml',
  'a file that shells read when they start': `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_history
    .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc .xprofile .xinitrc
    .xsession .pam_environment .envrc .direnvrc config.fish .screenrc .tmux.conf microsoft.powershell_profile.ps1`,
  'settings of a package manager or build tool': `.npmrc .yarnrc .yarnrc.yml .yarnrc.yaml .yarn .pnpmfile.cjs
    .pnpmfile.mjs .pnpmfile.js bunfig.toml .cargo .mvn .gradle gradle-wrapper.properties maven-wrapper.properties
    .bazelrc .bazeliskrc .pypirc pip.conf pip.ini .condarc .gemrc .bundle .nuget nuget.config .mise.toml mise.toml
    .tool-versions .asdfrc .volta`,
  'settings of a task runner': `taskfile.yml taskfile.yaml taskfile.dist.yml taskfile.dist.yaml justfile .justfile turbo.json
    nx.json .moon .run procfile`,
  'settings of a tool that runs automatically': `.ripgreprc pyrightconfig.json .editorconfig-checker.json .vimrc .exrc
    .nvimrc .gvimrc .emacs .emacs.d .gdbinit .lldbinit .curlrc .wgetrc .rsyncd.conf .perldb .pythonrc .pdbrc .irbrc
    sitecustomize.py usercustomize.py`,
  'keys and passwords': '.ssh .gnupg .aws .azure .kube .docker .netrc _netrc .git-credentials .pgpass',
  'a list of scheduled jobs': 'crontab .crontab launchagents launchdaemons',
};

/** Names of files as they are found in such folders. */
const FOUND_INSIDE = `settings.json tasks.json launch.json mcp.json extensions.json keybindings.json config HEAD index info
  hooks attributes exclude commondir config.worktree pre-commit pre-push pre-rebase pre-receive prepare-commit-msg commit-msg
  applypatch-msg post-checkout post-commit post-merge post-rewrite post-receive update hooks.json ci.yml ci.yaml action.yml SKILL.md x.instructions.md x.prompt.md x.toml x.mdc x.sh devcontainer.json Dockerfile x.code-workspace x.iml
  yarn.cjs settings.xml settings.gradle x.properties`;

/** Consecutive names, anywhere in a path. */
const SEQUENCES: readonly (readonly [what: string, names: readonly string[]])[] = [
  ['instructions for agents', ['.github', 'copilot-instructions.md']],
  ['instructions for agents', ['.github', 'instructions']],
  ['instructions for agents', ['.github', 'prompts']],
  ['instructions for agents', ['.github', 'chatmodes']],
  ['a CI build', ['.github', 'workflows']],
  ['a CI build', ['.github', 'actions']],
  ['a CI build', ['.forgejo', 'workflows']],
  ['a CI build', ['.gitea', 'workflows']],
  ['a program that starts automatically', ['.config', 'autostart']],
  ['a program that starts automatically', ['.config', 'systemd']],
  ['a program that starts automatically', ['systemd', 'system']],
  ['a program that starts automatically', ['start menu', 'programs', 'startup']],
  ['a list of scheduled jobs', ['var', 'spool', 'cron']],
  ['settings of git', ['.config', 'git']],
  ['a file that shells read when they start', ['.config', 'fish']],
  ['settings of gh', ['.config', 'gh']],
  ['settings of an editor', ['code', 'user']],
];

const PATTERNS: readonly (readonly [what: string, name: RegExp])[] = [
  ['settings of an editor', /\.code-workspace$/],
  ['settings of an editor', /\.(?:sublime-project|iml)$/],
  ['hooks of a repository', /^\.?lefthook(?:-local)?\.[a-z]+$/],
  ['hooks of a repository', /^\.(?:husky|lintstaged)rc(?:\.[a-z]+)?$/],
  ['settings of a package manager or build tool', /^\.(?:pnp)\.(?:c|m)?js$/],
  ['settings of a package manager or build tool', /^\.bazelrc\b/],
];

/** A quick test before `PATTERNS`, because most names match none of them. */
const ENDS_OR_DOTTED = /^\.|^lefthook|\.(?:code-workspace|sublime-project|iml)$/;

/** Absolute folders that belong to the operating system. */
const SYSTEM = new Set(['etc', 'boot', 'sys', 'proc']);

/**
 * Files that decide what the editor, the agent, a shell or a build does next. No rule or mode covers a change to them.
 * The check uses names only, so links in a path must be resolved first. A path that can't be checked is protected.
 */
export function protectedPath(path: string, places: ProtectedPlaces): ProtectedPath | undefined {
  try {
    if (path.includes('\0')) return { what: 'a path with a NUL character in it' };
    const names = foldPath(path);
    return byName(names) ?? bySettings(path, names, places) ?? byPlace(path, names, places);
  } catch {
    return { what: 'a path that could not be checked' };
  }
}

/** Whether a folder has no protected name, but protected files in it are usual. */
export function isUsuallyAround(folder: string): boolean {
  return /^\.(?:github|config|forgejo|gitea)$/.test(foldPath(folder).at(-1) ?? '');
}

/** What is protected in a folder, for a change to all of it. The path is relative to the workspace, or absolute. */
export function protectedInside(path: string, { named = [], roots }: ProtectedPlaces): ProtectedPath | undefined {
  const names = foldPath(path);
  const isAround = isAbsolutePath(path)
    ? roots.some((root) => names.every((name, at) => foldPath(root)[at] === name))
    : names.every((name) => name === '..');
  if (isAround || isUsuallyAround(path)) return { what: 'internal data of a repository' };
  return named.find((place) => startsWith(namesOf(place), names));
}

/** Whether a pattern of the shell matches a protected file that is there. One that begins with a star is too common. */
export function matchesProtected(pattern: string, { named = [] }: ProtectedPlaces): boolean {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  if (!names.some((name) => /^[^*].*[*?[]|^[?[]/.test(name))) return false;
  if (pattern.split('*').length > 4) return true;
  const parts = names.map((name) => new RegExp(`^${asPattern(name.replace(/\[.*?\]/g, '?'))}$`, 'is'));
  return named.some(({ path }) => {
    const wanted = path.split(/[\\/]/);
    return wanted.length <= parts.length && wanted.every((name, at) => parts[at]?.test(name));
  });
}

function asPattern(pattern: string): string {
  return pattern.replace(/\W/g, (each) => (each === '*' ? '.*' : each === '?' ? '.' : `\\${each}`));
}

/** Checks a name in any folder that is itself not protected. Called for thousands of files at a time. */
export function protectedName(name: string): ProtectedPath | undefined {
  try {
    return byName(foldPath(name));
  } catch {
    return { what: 'a path that could not be checked' };
  }
}

/** Whether names in this folder are checked together with the folder's own name, as `workflows` in `.github` is. */
export function isJudgedTogether(folder: string): boolean {
  return foldPath(folder).some((name) => FIRST_NAMES.has(name) || name.includes('~'));
}

const BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([what, names]) => names.split(/\s+/).map((name) => [name, what] as const)),
);

const EXAMPLES: readonly string[] = [...BY_NAME.keys(), ...FOUND_INSIDE.split(/\s+/)];

/** Whether a pattern for file names, as `find -name` takes it, may match protected files or files in protected folders. */
export function mayMatchProtected(pattern: string): boolean {
  // More stars would take long to match.
  if (/[\\[]/.test(pattern) || pattern.split('*').length > 4) return true;
  const matching = new RegExp(`^${asPattern(pattern)}$`, 'i');
  // A CI build may have any name.
  return /\.ya?ml$/i.test(pattern) || EXAMPLES.some((name) => matching.test(name));
}

function byName(names: readonly string[]): ProtectedPath | undefined {
  for (const [index, name] of names.entries()) {
    const what =
      BY_NAME.get(name) ??
      (ENDS_OR_DOTTED.test(name) ? PATTERNS.find(([, pattern]) => pattern.test(name))?.[0] : undefined) ??
      bySequence(names, index) ??
      (name.includes('~') ? shortName(name) : undefined);
    if (what !== undefined) return { what };
  }
  return undefined;
}

/** A quick test before `SEQUENCES`, because most names don't begin any of them. */
const FIRST_NAMES: ReadonlySet<string> = new Set(SEQUENCES.map(([, [first = '']]) => first));

function bySequence(names: readonly string[], at: number): string | undefined {
  const name = names[at] ?? '';
  if (!FIRST_NAMES.has(name) && !name.includes('~')) return undefined;
  const begun = SEQUENCES.find(([, wanted]) => wanted.every((each, offset) => isName(names[at + offset], each)));
  return begun?.[0];
}

function isName(name: string | undefined, wanted: string): boolean {
  return name === wanted || (name !== undefined && isShortNameOf(name, wanted));
}

function shortName(name: string): string | undefined {
  for (const [longName, what] of BY_NAME) {
    // A name that already fits 8.3 has no other short form. A name with a leading dot or a long extension always has
    // one.
    if (isShortNameOf(name, longName)) return what;
  }
  return /\.cod$/.test(name) ? 'settings of an editor' : undefined;
}

const FOLDED = new WeakMap<NamedPlace, readonly string[]>();

/** Many words are compared with the same places. */
function namesOf(place: NamedPlace): readonly string[] {
  const names = FOLDED.get(place) ?? foldPath(place.path);
  FOLDED.set(place, names);
  return names;
}

/** A path that starts with a variable, such as `$PWD/hooks/x`, counts as a path in the workspace. */
function bySettings(
  path: string,
  names: readonly string[],
  { named = [], roots }: ProtectedPlaces,
): ProtectedPath | undefined {
  if (named.length === 0) return undefined;
  const fromRoot = isAbsolutePath(path)
    ? roots.map((root) => below(names, foldPath(root))).find((inside) => inside !== undefined)
    : names.slice(names.findIndex((name) => !name.startsWith('$')));
  return named.find((place) => {
    const wanted = namesOf(place);
    return isAbsolutePath(place.path) ? startsWith(names, wanted) : fromRoot && startsWith(fromRoot, wanted);
  });
}

function byPlace(path: string, names: readonly string[], { home, roots }: ProtectedPlaces): ProtectedPath | undefined {
  if (roots.some((root) => isAbsolutePath(path) && startsWith(names, foldPath(root)))) return undefined;
  const fromHome = /^~(?=$|[\\/])/.test(path) ? names.slice(1) : below(names, foldPath(home));
  if (fromHome?.[0]?.startsWith('.') && fromHome[0] !== '..') return { what: 'a settings file in your home folder' };
  const isSystem = /^[\\/]/.test(path) && SYSTEM.has(names[0] ?? '');
  return isSystem || (/^[a-z]:$/.test(names[0] ?? '') && names[1] === 'windows')
    ? { what: 'a file of the system' }
    : undefined;
}

function isAbsolutePath(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
}

function startsWith(names: readonly string[], beginning: readonly string[]): boolean {
  return beginning.length > 0 && beginning.every((name, index) => names[index] === name);
}

function below(names: readonly string[], folder: readonly string[]): readonly string[] | undefined {
  return startsWith(names, folder) ? names.slice(folder.length) : undefined;
}
