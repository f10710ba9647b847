import { dirname, isAbsolute, join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { type Problem, ProblemError } from '../protocol/agent/problem.ts';

/** The folder for conversations, shared by the panel and the command line. `GANTRY_HOME` moves it. */
export function sessionsFolder(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  // Relative to the home folder, because the panel and the command line start in different directories.
  return join(resolve(home, environment['GANTRY_HOME'] || '.gantry'), 'sessions');
}

/** A file about the A2A server at a port, such as its token. */
export function a2aServerFile(
  environment: Environment,
  home: string,
  port: number,
  extension: 'token' | 'keeper' | 'log',
): string {
  return join(dirname(sessionsFolder(environment, home)), 'a2a', `${port}.${extension}`);
}

/** Where A2A servers keep the URLs that clients have named for push notifications. */
export function a2aPushFolder(environment: Environment, home: string): string {
  return join(dirname(sessionsFolder(environment, home)), 'a2a', 'push');
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that move the user's or the system's settings of Gemini CLI. Empty values have no effect. */
const MOVING = ['GEMINI_CLI_HOME', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH', 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH'];

/**
 * A problem that prevents the start: with a relative path, the user's settings would be read from the current folder. A
 * project's settings would then count as the user's, and its hooks and servers would run without approval.
 */
export function homeProblem(environment: Environment, home: string, platform = process.platform): Problem | undefined {
  const moved = MOVING.map((name): [string, string] => [name, environment[name] || '/']);
  const places: [string, string][] = [[platform === 'win32' ? 'USERPROFILE' : 'HOME', home], ...moved];
  const wrong = places.find(([, path]) => !isAbsolute(path));
  if (!wrong) return undefined;
  const [name, path] = wrong;
  return {
    kind: 'bad-configuration',
    title:
      path === '' ? l10n.t('{0} is empty', name) : l10n.t('{0} is "{1}", which is not an absolute path', name, path),
    detail: l10n.t(
      'Settings of the project would be treated as your own, and its hooks and MCP servers would run without your approval. Nothing was started. Set {0} to an absolute path and start again.',
      name,
    ),
    actions: [],
  };
}

/** Throws a `ProblemError` if a project's settings would count as the user's. */
export function requireHome(environment: Environment, home: string): void {
  const problem = homeProblem(environment, home);
  if (problem) throw new ProblemError(problem);
}
