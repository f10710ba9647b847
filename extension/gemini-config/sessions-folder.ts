import { join, resolve } from 'node:path';

/** Where conversations are kept: one place for the panel and the command line. `GANTRY_HOME` moves it. */
export function sessionsFolder(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  // Relative to the home: the panel and the command line do not start in the same directory.
  return join(resolve(home, environment['GANTRY_HOME'] || '.gantry'), 'sessions');
}
