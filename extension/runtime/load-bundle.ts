import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CompiledCode } from '../files/compiled-code.ts';
import { sessionsFolder } from '../gemini-config/home-folders.ts';

/** Long enough for a first turn in most windows. */
const SAVED_AFTER_MS = 3 * 60_000;

const home = homedir();
// A relative home folder would be one in the project, whose files are hostile. The runtime then refuses to start.
const compiled = new CompiledCode(
  isAbsolute(home) ? join(sessionsFolder(process.env, home), '..', 'cache') : undefined,
);

// Surfaces load this file instead of the runtime bundle, and get what that exports.
module.exports = compiled.load(join(__dirname, 'runtime.js'));

// Windows of VS Code stay open for days, and V8 drops the compiled code of functions that are no longer used.
setTimeout(() => compiled.save(), SAVED_AFTER_MS).unref();
process.once('exit', () => compiled.save());
