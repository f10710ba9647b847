import { parse as parseToml } from 'smol-toml';
import { isObject } from '../../base/objects.ts';
import { readJson } from '../../text/json-with-comments.ts';

/** The programs that tell the version of a language or platform, the best one first. */
export const LANGUAGES = {
  Node: { names: ['node'], args: ['--version'] },
  Deno: { names: ['deno'], args: ['--version'] },
  Bun: { names: ['bun'], args: ['--version'] },
  Python: { names: ['python3', 'python'], args: ['--version'] },
  Go: { names: ['go'], args: ['version'] },
  Rust: { names: ['rustc'], args: ['--version'] },
  Java: { names: ['java'], args: ['-version'] },
  PHP: { names: ['php'], args: ['--version'] },
  Ruby: { names: ['ruby'], args: ['--version'] },
  '.NET': { names: ['dotnet'], args: ['--version'] },
  Elixir: { names: ['elixir'], args: ['--short-version'] },
  Dart: { names: ['dart'], args: ['--version'] },
  Swift: { names: ['swift'], args: ['--version'] },
} as const;

export type Language = keyof typeof LANGUAGES;

/** The content of a manifest and its surroundings. All of it comes from the project, so it may be hostile. */
export interface Manifest {
  readonly name: string;
  readonly text: string;
  /** Whether the folder has an entry of this name. */
  readonly has: (name: string) => boolean;
}

interface ManifestKind {
  readonly names: RegExp;
  readonly language?: (manifest: Manifest) => Language | undefined;
  /** What the manifest says about commands; undefined if nothing. */
  readonly says?: (manifest: Manifest) => string | undefined;
  /** Whether `says` depends on the content. */
  readonly reads?: true;
}

/** The kinds of manifests, in the order in which they are described. */
export const MANIFESTS: readonly ManifestKind[] = [
  { names: /^package\.json$/, language: nodeOrBun, says: packageJson, reads: true },
  { names: /^deno\.jsonc?$/, language: () => 'Deno', says: denoJson, reads: true },
  { names: /^pyproject\.toml$/, language: () => 'Python', says: pyproject, reads: true },
  { names: /^(?:setup\.py|setup\.cfg|requirements\.txt|Pipfile|manage\.py)$/, language: () => 'Python', says: python },
  { names: /^tox\.ini$/, language: () => 'Python', says: tox, reads: true },
  { names: /^noxfile\.py$/, language: () => 'Python', says: nox, reads: true },
  { names: /^pytest\.ini$/, language: () => 'Python', says: () => 'tests with pytest' },
  { names: /^Cargo\.toml$/, language: () => 'Rust', says: cargo, reads: true },
  { names: /^go\.(?:mod|work)$/, language: () => 'Go', says: () => 'go build ./..., go test ./..., go vet ./...' },
  { names: /^composer\.json$/, language: () => 'PHP', says: composer, reads: true },
  { names: /^pom\.xml$/, language: () => 'Java', says: maven },
  { names: /^build\.gradle(?:\.kts)?$/, language: () => 'Java', says: gradle },
  { names: /^Gemfile$/, language: () => 'Ruby', says: ({ has }) => (has('Rakefile') ? 'bundle exec rake' : 'bundler') },
  { names: /\.(?:sln|slnx|csproj|fsproj)$/, language: () => '.NET', says: () => 'dotnet build, dotnet test' },
  { names: /^mix\.exs$/, language: () => 'Elixir', says: () => 'mix compile, mix test, mix format' },
  { names: /^pubspec\.yaml$/, language: () => 'Dart' },
  { names: /^Package\.swift$/, language: () => 'Swift', says: () => 'swift build, swift test' },
  { names: /^CMakeLists\.txt$/, says: () => 'built with CMake' },
  { names: /^(?:GNUmakefile|[Mm]akefile)$/, says: makefile, reads: true },
  { names: /^\.?[Jj]ustfile$/, says: justfile, reads: true },
  { names: /^[Tt]askfile\.ya?ml$/, says: taskfile, reads: true },
];

const LOCKFILES: readonly (readonly [file: string, manager: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

const PYTHON_LOCKFILES: readonly (readonly [file: string, manager: string])[] = [
  ['uv.lock', 'uv'],
  ['poetry.lock', 'poetry'],
  ['pdm.lock', 'pdm'],
  ['Pipfile.lock', 'pipenv'],
  ['Pipfile', 'pipenv'],
];

function nodeOrBun(manifest: Manifest): Language {
  return nodeManager(manifest, objectIn(manifest.text)) === 'bun' ? 'Bun' : 'Node';
}

function nodeManager({ has }: Manifest, content: Fields): string {
  const [, named] = /^(npm|pnpm|yarn|bun)(?:@|$)/.exec(String(content['packageManager'] ?? '')) ?? [];
  return named ?? LOCKFILES.find(([file]) => has(file))?.[1] ?? 'npm';
}

function packageJson(manifest: Manifest): string | undefined {
  const content = objectIn(manifest.text);
  const manager = nodeManager(manifest, content);
  const isWhole = content['workspaces'] !== undefined || manifest.has('pnpm-workspace.yaml');
  const scripts = listed(Object.keys(fields(content['scripts'])).filter((name) => !BY_ITSELF.test(name)));
  return [
    `package manager ${manager}${isWhole ? ', several packages in one workspace' : ''}`,
    ...(scripts === undefined ? [] : [`scripts for ${manager} run: ${scripts}`]),
  ].join('; ');
}

/** Scripts that the package manager runs by itself. */
const BY_ITSELF = /^(?:(?:pre|post)?(?:install|publish|pack|version)|prepare|prepublishOnly)$/;

function denoJson({ text }: Manifest): string | undefined {
  const tasks = listed(Object.keys(fields(objectIn(text)['tasks'])));
  return tasks && `deno task: ${tasks}`;
}

/** Tools that a `[tool.…]` table configures and that are run to check or change the code. */
const PYTHON_TOOLS = /^(?:pytest|ruff|mypy|pyright|black|isort|flake8|pylint|tox|nox|coverage|hatch|poe)$/;

function pyproject({ text, has }: Manifest): string | undefined {
  const content = tomlIn(text);
  const tools = fields(content['tool']);
  const manager =
    PYTHON_LOCKFILES.find(([file]) => has(file))?.[1] ??
    ['uv', 'poetry', 'pdm', 'hatch'].find((name) => isObject(tools[name])) ??
    'pip';
  const configured = listed(Object.keys(tools).filter((name) => PYTHON_TOOLS.test(name)));
  const tasks = listed([
    ...Object.keys(fields(fields(tools['poe'])['tasks'])),
    ...Object.keys(fields(fields(tools['pdm'])['scripts'])),
  ]);
  return [
    `package manager ${manager}`,
    ...(configured === undefined ? [] : [`configures ${configured}`]),
    ...(tasks === undefined ? [] : [`tasks: ${tasks}`]),
  ].join('; ');
}

function python({ name, has }: Manifest): string | undefined {
  if (name === 'manage.py') return 'Django: python manage.py test';
  if (name === 'Pipfile') return 'package manager pipenv';
  return name === 'requirements.txt' && !has('pyproject.toml') ? 'package manager pip' : undefined;
}

function tox({ text }: Manifest): string | undefined {
  const [, list = ''] = /^[ \t]*env_?list[ \t]*=((?:[^\n]*(?:\n[ \t]+[^\n]*)*))/im.exec(text) ?? [];
  const names = listed(list.replace(/\{[^}]*\}/g, ' ').split(/[\s,]+/));
  return names === undefined ? 'environments for tox' : `tox -e: ${names}`;
}

function nox({ text }: Manifest): string | undefined {
  const names = listed([...text.matchAll(/^def ([a-z]\w*)\(session\b/gim)].map(([, name = '']) => name));
  return names && `nox -s: ${names}`;
}

function cargo({ text }: Manifest): string | undefined {
  const isWhole = isObject(tomlIn(text)['workspace']);
  return `${isWhole ? 'a workspace of crates; ' : ''}cargo build, cargo test, cargo clippy, cargo fmt`;
}

function composer({ text }: Manifest): string | undefined {
  const scripts = listed(Object.keys(fields(objectIn(text)['scripts'])).filter((name) => !/^(?:pre|post)-/.test(name)));
  return scripts && `composer run: ${scripts}`;
}

function maven({ has }: Manifest): string {
  const program = has('mvnw') ? './mvnw' : 'mvn';
  return `${program} compile, ${program} test`;
}

function gradle({ has }: Manifest): string {
  const program = has('gradlew') ? './gradlew' : 'gradle';
  return `${program} build, ${program} test`;
}

function makefile({ text }: Manifest): string | undefined {
  const targets = listed([...text.matchAll(/^([A-Za-z0-9][\w./-]*)[ \t]*::?(?![:=])/gm)].map(([, name = '']) => name));
  return targets && `make: ${targets}`;
}

function justfile({ text }: Manifest): string | undefined {
  const recipes = listed(
    [...text.matchAll(/^@?([A-Za-z][\w-]*)(?:[ \t][^:\n]*)?:(?!=)/gm)].map(([, name = '']) => name),
  );
  return recipes && `just: ${recipes}`;
}

function taskfile({ text }: Manifest): string | undefined {
  const [, tasks = ''] = /^tasks:[ \t]*\n((?:[ \t]+[^\n]*\n|[ \t]*\n)*)/m.exec(`${text}\n`) ?? [];
  const names = listed([...tasks.matchAll(/^(?: {2}|\t)([A-Za-z][\w:-]*):/gm)].map(([, name = '']) => name));
  return names && `task: ${names}`;
}

/** Enough for the commands that matter. Some projects have hundreds. */
const MAX_NAMES = 25;

/** A name that can be typed as it is. Others say nothing useful to a model and may be meant to mislead it. */
const PLAIN_NAME = /^[A-Za-z0-9][\w.:/@+-]{0,39}$/;

/** The commands that a change is checked with come first, because the list may be cut. */
const CHECKS = /^(?:test|lint|build|check|type-?check|format|fmt|compile|ci|verify)/i;

function listed(names: readonly string[]): string | undefined {
  const plain = [...new Set(names)].filter((name) => PLAIN_NAME.test(name));
  if (plain.length === 0) return undefined;
  const sorted = [...plain.filter((name) => CHECKS.test(name)), ...plain.filter((name) => !CHECKS.test(name))];
  const shown = sorted.slice(0, MAX_NAMES);
  return `${shown.join(', ')}${plain.length > shown.length ? ` and ${plain.length - shown.length} more` : ''}`;
}

type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};

function fields(value: unknown): Fields {
  return isObject(value) ? value : NONE;
}

function objectIn(text: string): Fields {
  try {
    return fields(JSON.parse(text));
  } catch {
    // This parser is slow, and is only needed for comments and trailing commas.
    const read = readJson(text);
    return 'value' in read ? fields(read.value) : NONE;
  }
}

function tomlIn(text: string): Fields {
  try {
    return fields(parseToml(text));
  } catch {
    // An invalid manifest is the project's problem. The rest of the description still helps.
    return NONE;
  }
}
