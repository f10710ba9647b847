import { join } from 'node:path';

/** Variables that a program needs to run at all. Windows spells some of them differently. */
const NEEDED =
  /^(PATH|PATHEXT|TMPDIR|TEMP|TMP|USER|USERNAME|LOGNAME|LD_LIBRARY_PATH|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PROGRAMFILES|PROGRAMFILES\(X86\)|PROGRAMDATA|LOCALAPPDATA|DISPLAY|XAUTHORITY|NODE_V8_COVERAGE|NPM_EXECPATH)$/i;

/** Variables that configure the test run. */
const OURS = /^GANTRY_(TEST_|UPDATE_SNAPSHOTS$)/;

/**
 * The environment in which tests run: the same for a developer with keys, a proxy and settings as on a bare machine.
 * All home folders are inside `home`.
 */
export function testEnvironment(home: string, from: NodeJS.ProcessEnv = process.env): Readonly<Record<string, string>> {
  const kept = Object.entries(from).filter(([name]) => NEEDED.test(name) || OURS.test(name));
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'AppData'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  };
}
