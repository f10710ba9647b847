import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { fileStamp } from '../policy/file-stamp.ts';
import { contains } from '../policy/real-path.ts';
import type { WorkspacePort } from '../runtime/host.ts';
import type { CommandProblem, CustomCommand } from './custom-command.ts';
import { type CommandFile, type ReadCommand, readCommand } from './read-command.ts';

export interface CommandPorts {
  readonly workspace: WorkspacePort;
  /** The folder with `.gemini`. */
  readonly geminiHome: string;
}

interface KnownFile {
  readonly stamp: string;
  readonly read: Promise<ReadCommand>;
}

/** More than anybody has, and read in a moment. */
const MAX_FOLDERS = 200;
const MAX_FILES = 500;

/** The commands of the user and of the open folders. None in Restricted Mode. */
export class CommandLibrary {
  private readonly known = new Map<string, KnownFile>();
  private commands: readonly CustomCommand[] = [];
  private faults: readonly CommandProblem[] = [];

  constructor(private readonly ports: CommandPorts) {}

  /** As of the last look, those of the user first. Two may have the same name. */
  get list(): readonly CustomCommand[] {
    return this.ports.workspace.isTrusted() ? this.commands : [];
  }

  get problems(): readonly CommandProblem[] {
    return this.faults;
  }

  /** Of the project before the user's, unless the source is said; case does not matter. */
  find(name: string, source?: CustomCommand['source']): CustomCommand | undefined {
    const wanted = name.toLowerCase();
    return this.list.findLast(
      (command) => command.name.toLowerCase() === wanted && (source === undefined || command.source === source),
    );
  }

  /** Looks at what changed on disk. */
  async refresh(): Promise<readonly CustomCommand[]> {
    const { workspace, geminiHome } = this.ports;
    if (!workspace.isTrusted()) return [];
    const roots = workspace.roots().filter((root) => root !== geminiHome);
    const files = await Promise.all([filesIn(geminiHome, 'user'), ...roots.map((root) => filesIn(root, 'project'))]);
    const read = await Promise.all(files.flat().map((file) => this.read(file)));
    this.commands = read.flatMap((each) => ('command' in each ? [each.command] : []));
    this.faults = read.flatMap((each) => ('problem' in each ? [each.problem] : []));
    return this.list;
  }

  private async read(about: CommandFile): Promise<ReadCommand> {
    const stamp = await fileStamp(about.file);
    const known = this.known.get(about.file);
    if (known?.stamp === stamp) return known.read;
    const read = readCommand(about);
    this.known.set(about.file, { stamp, read });
    return read;
  }
}

/** Links to folders are not followed: two that lead back here would have no end. */
async function filesIn(home: string, source: CustomCommand['source']): Promise<CommandFile[]> {
  const top = join(home, '.gemini', 'commands');
  const real = await realpath(home).catch(() => undefined);
  // A project cannot bring along what lies elsewhere.
  const accepts = (path: string): boolean => source === 'user' || (real !== undefined && contains(real, path));
  const files: CommandFile[] = [];
  const folders = [''];
  for (let looked = 0; looked < folders.length && looked < MAX_FOLDERS; looked++) {
    const inside = folders[looked] ?? '';
    const items = await readdir(join(top, inside), { withFileTypes: true }).catch(() => []);
    for (const item of items.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const relativePath = join(inside, item.name);
      if (item.isDirectory()) folders.push(relativePath);
      else if (item.name.endsWith('.toml'))
        files.push({ file: join(top, relativePath), relativePath, source, accepts });
    }
  }
  return files.slice(0, MAX_FILES);
}
