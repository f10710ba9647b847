import { join } from 'node:path';

/** Where conversations are kept: one place for the panel and the command line. `GANTRY_HOME` moves it. */
export function sessionsFolder(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(environment['GANTRY_HOME'] || join(home, '.gantry'), 'sessions');
}
