import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { makePrivateFolder } from '../files/private-folder.ts';
import { sessionsFolder } from '../gemini-config/home-folders.ts';

/**
 * Lets Node keep the compiled code of bundles for the next start, because compiling the runtime takes long. Node 20
 * can't. V8 trusts what it is given, so the folder must be one that only the user can write to. (Somebody else who
 * could do that might also approve hooks.)
 */
export function keepCompiledCode(environment: Readonly<Record<string, string | undefined>>): void {
  const enable = 'enableCompileCache' in nodeModule ? nodeModule.enableCompileCache : undefined;
  const home = homedir();
  // A relative home folder would be in the project, whose files are hostile.
  if (typeof enable !== 'function' || !isAbsolute(home)) return;
  const folder = join(sessionsFolder(environment, home), '..', 'cache');
  if (makePrivateFolder(folder)) enable(folder);
}
