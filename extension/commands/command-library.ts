import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskView } from '../files/disk-view.ts';
import { isInProject } from '../files/real-path.ts';
import { type ExtensionFolder, type ExtensionsInUse, isOfExtension } from '../ports/extension-folder.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import type { CommandProblem, CustomCommand } from './custom-command.ts';
import { type CommandFile, type CommandOrProblem, readCommand } from './read-command.ts';

export interface CommandPorts {
  readonly workspace: WorkspacePort;
  /** The folder that contains `.gemini`. */
  readonly geminiHome: string;
  readonly extensions?: ExtensionsInUse;
}

/** A folder of commands. */
interface CommandPlace extends Pick<CommandFile, 'source' | 'extension' | 'accepts'> {
  readonly top: string;
}

interface KnownFile {
  readonly stamp: string;
  readonly read: Promise<CommandOrProblem>;
}

/** More than a real project has, and still quick to read. */
const MAX_FOLDERS = 200;
const MAX_FILES = 500;

/** The commands of the user, of the open folders and of extensions. None in Restricted Mode. */
export class CommandLibrary {
  private readonly known = new Map<string, KnownFile>();
  private commands: readonly CustomCommand[] = [];
  private faults: readonly CommandProblem[] = [];

  constructor(private readonly ports: CommandPorts) {}

  /**
   * The commands as of the last refresh: those of extensions, of the user and of projects. Two may have the same name,
   * but a command of an extension whose name is taken is called `extension:name`.
   */
  get list(): readonly CustomCommand[] {
    return this.ports.workspace.isTrusted() ? this.commands : [];
  }

  get problems(): readonly CommandProblem[] {
    return this.faults;
  }

  /**
   * Finds a command, ignoring case. Without a source, a project's command precedes the user's, and that an extension's.
   */
  find(name: string, source?: CustomCommand['source']): CustomCommand | undefined {
    const wanted = name.toLowerCase();
    const found = this.list.filter((command) => source === undefined || command.source === source);
    return (
      found.findLast((command) => keyOf(command) === wanted) ??
      found.findLast((command) => keyOf(command, fullName(command)) === wanted)
    );
  }

  /** Reads files again that changed on disk. */
  async refresh(view = new DiskView()): Promise<readonly CustomCommand[]> {
    const { workspace, geminiHome } = this.ports;
    if (!workspace.isTrusted()) return [];
    const roots = workspace.roots().filter((root) => root !== geminiHome);
    const places = [
      ...((await this.ports.extensions?.(view)) ?? []).map(extensionPlace),
      homePlace(geminiHome, 'user'),
      ...roots.map((root) => homePlace(root, 'project')),
    ];
    const files = await Promise.all(places.map(filesIn));
    const read = await Promise.all(files.flat().map((file) => this.read(file, view)));
    this.commands = distinctNames(read.flatMap((each) => ('command' in each ? [each.command] : [])));
    this.faults = read.flatMap((each) => ('problem' in each ? [each.problem] : []));
    return this.list;
  }

  private async read(about: CommandFile, view: DiskView): Promise<CommandOrProblem> {
    const stamp = await view.stamp(about.file);
    const known = this.known.get(about.file);
    if (known?.stamp === stamp) return known.read;
    const read = readCommand(about, view.open);
    this.known.set(about.file, { stamp, read });
    return read;
  }
}

function keyOf({ name }: CustomCommand, key = name): string {
  return key.toLowerCase();
}

function fullName({ name, extension }: CustomCommand): string {
  return extension === undefined || name.startsWith(`${extension}:`) ? name : `${extension}:${name}`;
}

/** Renames commands of extensions so that they don't hide the user's commands or those of another extension. */
function distinctNames(commands: readonly CustomCommand[]): readonly CustomCommand[] {
  const counts = new Map<string, number>();
  for (const command of commands) counts.set(keyOf(command), (counts.get(keyOf(command)) ?? 0) + 1);
  return commands.map((command) => {
    const isTaken = command.extension !== undefined && (counts.get(keyOf(command)) ?? 0) > 1;
    return isTaken ? { ...command, name: fullName(command) } : command;
  });
}

function extensionPlace(extension: ExtensionFolder): CommandPlace {
  const accepts = (path: string): boolean => isOfExtension(extension, path);
  return { top: join(extension.folder, 'commands'), source: 'extension', extension: extension.name, accepts };
}

function homePlace(home: string, source: 'user' | 'project'): CommandPlace {
  const accepts = async (path: string): Promise<boolean> => source === 'user' || isInProject(home, path);
  return { top: join(home, '.gemini', 'commands'), source, accepts };
}

/** Does not follow links to folders, because they may form a cycle. */
async function filesIn({ top, ...place }: CommandPlace): Promise<CommandFile[]> {
  const files: CommandFile[] = [];
  const folders = [''];
  for (let looked = 0; looked < folders.length && looked < MAX_FOLDERS; looked++) {
    const inside = folders[looked] ?? '';
    const items = await readdir(join(top, inside), { withFileTypes: true }).catch(() => []);
    for (const item of items.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const relativePath = join(inside, item.name);
      if (item.isDirectory()) folders.push(relativePath);
      else if (item.name.endsWith('.toml')) files.push({ file: join(top, relativePath), relativePath, ...place });
    }
  }
  return files.slice(0, MAX_FILES);
}
