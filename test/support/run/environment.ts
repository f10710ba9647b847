import { join } from 'node:path';

/** What a program needs in order to run at all. Windows spells some of them otherwise. */
const NEEDED =
  /^(PATH|PATHEXT|TMPDIR|TEMP|TMP|USER|USERNAME|LOGNAME|LD_LIBRARY_PATH|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PROGRAMFILES|PROGRAMFILES\(X86\)|PROGRAMDATA|LOCALAPPDATA|DISPLAY|XAUTHORITY|NODE_V8_COVERAGE|NPM_EXECPATH)$/i;

/** What tests are told about their run. */
const OURS = /^GANTRY_(TEST_|UPDATE_SNAPSHOTS$)/;

/**
 * The environment in which tests run: the same for a developer with keys, a proxy and settings of their own as on a bare
 * machine. Nothing outside of `home` is a home.
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
