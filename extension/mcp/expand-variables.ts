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

/** A variable that only VS Code can resolve, some by asking the user. */
export function unknownVariable(text: string): string | undefined {
  return /\$\{(?:input|command|config|file|relativeFile|selectedText|lineNumber)\b[^}]*\}/.exec(text)?.[0];
}

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
