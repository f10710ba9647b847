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

/** Long enough for a first turn in most windows. */
const SAVED_AFTER_MS = 3 * 60_000;

const home = homedir();
// A relative home folder would be one in the project, whose files are hostile. The runtime then refuses to start.
const compiled = new CompiledCode(
  isAbsolute(home) ? join(sessionsFolder(process.env, home), '..', 'cache') : undefined,
);

module.exports = compiled.load(join(__dirname, PROGRAM));

// Windows of VS Code stay open for days, and V8 drops the compiled code of functions that are no longer used.
setTimeout(() => compiled.save(), SAVED_AFTER_MS).unref();
process.once('exit', () => compiled.save());
