import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CompiledCode } from '../files/compiled-code.ts';
import { sessionsFolder } from '../gemini-config/home-folders.ts';

/**
 * Each program of Gantry begins with a copy of this file, which loads the program and its parts with the code that an
 * earlier start compiled.
 */

/** Set by the build: the bundle with the program, beside this one. */
declare const PROGRAM: string;

const program = join(__dirname, PROGRAM);
/** Long enough for an activation on a slow machine. */
const ACTIVATED_MS = 20_000;
/** Long enough for a first turn in most windows. */
const TURN_MS = 3 * 60_000;

const home = homedir();
// A relative home folder would be one in the project, whose files are hostile. The runtime then refuses to start.
const folder = isAbsolute(home) ? join(sessionsFolder(process.env, home), '..', 'cache') : undefined;
const compiled = new CompiledCode(folder, (path) => {
  // Windows of VS Code stay open for days.
  setTimeout(() => compiled.save(path), path === program ? ACTIVATED_MS : TURN_MS).unref();
});

module.exports = compiled.load(program);

process.once('exit', () => compiled.save());
