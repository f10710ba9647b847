import { basename, sep } from 'node:path';

export interface VariablePlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The open folder, if there is one. */
  readonly root: string | undefined;
}

/** `$NAME`, `${NAME}` and `${NAME:-default}` as in Gemini CLI, `${env:NAME}` and `${workspaceFolder}` as in VS Code. */
const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([^{}]*)\})/g;

/** Replaces variables with their values. An unset variable stays as written, except for VS Code's, which are empty. */
export function expandVariables(text: string, places: VariablePlaces): string {
  return text.replace(VARIABLE, (written, plain: string | undefined, braced = '') =>
    plain === undefined ? (bracedValue(braced, places) ?? written) : (places.environment[plain] ?? written),
  );
}

/** The environment variables that a text names. */
export function namedVariables(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, plain, braced = '']) => plain ?? braced.replace(/^env:|:-.*$/gs, ''));
}

/** An environment variable in a text, and what becomes of it if it isn't set. */
export interface UnsetVariable {
  readonly name: string;
  readonly written: string;
  readonly offset: number;
  readonly becomes: 'itself' | 'nothing';
}

/** The environment variables in a text that are not set and have no default. */
export function unsetVariables(text: string, isSet: (name: string) => boolean): readonly UnsetVariable[] {
  return [...text.matchAll(VARIABLE)].flatMap(({ 0: written, 1: plain, 2: braced = '', index }): UnsetVariable[] => {
    const [, prefix, name = ''] = /^(env:)?([A-Za-z_]\w*)$/.exec(plain ?? braced) ?? [];
    const isPlace = plain === undefined && prefix === undefined && VARIABLE_PLACES.has(name);
    if (name === '' || isPlace || isSet(name)) return [];
    return [{ name, written, offset: index, becomes: prefix === undefined ? 'itself' : 'nothing' }];
  });
}

/** A variable that only VS Code can resolve, some by asking the user. */
export function unknownVariable(text: string): string | undefined {
  return /\$\{(?:input|command|config|file|relativeFile|selectedText|lineNumber)\b[^}]*\}/.exec(text)?.[0];
}

/** Places, which are no environment variables. Those of extensions are replaced when their manifests are read. */
export const VARIABLE_PLACES: ReadonlySet<string> = new Set([
  'workspaceFolder',
  'workspacePath',
  'workspaceFolderBasename',
  'userHome',
  'pathSeparator',
  'extensionPath',
]);

function bracedValue(name: string, { environment, home, root }: VariablePlaces): string | undefined {
  if (name.startsWith('env:')) return environment[name.slice('env:'.length)] ?? '';
  switch (name) {
    case 'workspaceFolder':
    case 'workspacePath':
      return root;
    case 'workspaceFolderBasename':
      return root === undefined ? undefined : basename(root);
    case 'userHome':
      return home;
    case '/':
    case 'pathSeparator':
      return sep;
    default:
      return withDefault(name, environment);
  }
}

function withDefault(name: string, environment: VariablePlaces['environment']): string | undefined {
  const [, variable = '', otherwise] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(name) ?? [];
  // As in shells, an empty value counts as unset here.
  return otherwise === undefined ? environment[variable] : environment[variable] || otherwise;
}
