import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import { News } from '../base/news.ts';
import { isObject } from '../base/objects.ts';
import { AcceptedHashes } from '../files/accepted.ts';
import { DiskView } from '../files/disk-view.ts';
import { type FilesRead, FromFiles } from '../files/from-files.ts';
import { canonicalFolder } from '../files/real-path.ts';
import { folderSettings } from '../gemini-config/folder-settings.ts';
import type { ExtensionFolder, ExtensionsInUse } from '../ports/extension-folder.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import { type ReadSkill, readSkill } from './read-skill.ts';
import { type Skill, type SkillPlace, type SkillProblem, skillPlaces } from './skill.ts';

export interface SkillPorts {
  readonly workspace: WorkspacePort;
  /** The folder that contains `.gemini`. */
  readonly geminiHome: string;
  readonly extensions?: ExtensionsInUse;
  /** The absolute path of the file with the accepted skills of projects. If undefined, acceptance isn't stored. */
  readonly acceptedFile: string | undefined;
}

/** More than a real folder has. */
const MAX_SKILLS = 200;

const NO_EXTENSIONS: readonly ExtensionFolder[] = [];

/** The skills of the user, of the open folders and of extensions, shared by all sessions. None in Restricted Mode. */
export class SkillLibrary {
  private readonly fromFiles = new FromFiles<void>();
  private readonly known = new Map<string, ReadSkill>();
  private readonly accepted: AcceptedHashes;
  private readonly news = new News<SkillProblem>();
  private skills: readonly Skill[] = [];
  private faults: readonly SkillProblem[] = [];

  constructor(private readonly ports: SkillPorts) {
    const [root] = ports.workspace.roots();
    this.accepted = new AcceptedHashes(ports.acceptedFile, root === undefined ? '' : canonicalFolder(root));
  }

  /** The skills as of the last refresh. The same list as long as nothing changes. */
  get list(): readonly Skill[] {
    return this.ports.workspace.isTrusted() ? this.skills : [];
  }

  /** Problems in skill files as of the last refresh. */
  get problems(): readonly SkillProblem[] {
    return this.faults;
  }

  /** The problems that were not reported before. */
  untold(): readonly SkillProblem[] {
    return this.news.take(this.faults);
  }

  find(name: string): Skill | undefined {
    const key = keyOf(name);
    return this.list.find((skill) => keyOf(skill.name) === key);
  }

  /** Whether the user approved this version of the skill. */
  isAccepted({ hash }: Skill): boolean {
    return this.accepted.has(hash);
  }

  async accept({ hash }: Pick<Skill, 'hash'>): Promise<void> {
    await this.accepted.accept([hash]);
  }

  /** Reads the files again if one of them changed on disk. */
  async refresh(view = new DiskView()): Promise<readonly Skill[]> {
    const { workspace, extensions } = this.ports;
    if (!workspace.isTrusted()) return [];
    const inUse = (await extensions?.(view)) ?? NO_EXTENSIONS;
    await this.fromFiles.current(view, [inUse, ...workspace.roots()], (files) => this.read(files, inUse));
    return this.list;
  }

  private async read(files: FilesRead, extensions: readonly ExtensionFolder[]): Promise<void> {
    const { workspace, geminiHome, acceptedFile } = this.ports;
    const places = skillPlaces(geminiHome, workspace.roots(), extensions);
    const [read, off] = await Promise.all([
      Promise.all(places.map((place) => this.readPlace(place, files))),
      this.switchedOff(files),
    ]);
    const found = read.flat();
    const all = found.flatMap((each) => ('skill' in each ? [each.skill] : []));
    const skills = off === 'all' ? [] : lastOfEach(all).filter(({ name }) => !off.has(keyOf(name)));
    const broken = found.flatMap((each) => ('problem' in each ? [each.problem] : []));
    this.faults = [...broken, ...all.flatMap((skill) => hiddenProblem(skill, all) ?? [])];
    if (skills.length !== this.skills.length || skills.some((skill, at) => skill !== this.skills[at]))
      this.skills = skills;
    // A waiting skill may have been accepted in another window.
    if (acceptedFile !== undefined && skills.some((skill) => skill.source !== 'user' && !this.isAccepted(skill))) {
      await files.stamp(acceptedFile);
      await this.accepted.load();
    }
  }

  private async readPlace(place: SkillPlace, files: FilesRead): Promise<ReadSkill[]> {
    if ((await files.stamp(place.folder)) === '') return [];
    const found = await skillFiles(place.folder);
    return Promise.all(found.map((file) => this.readFile(file, place, files)));
  }

  private async readFile(file: string, place: SkillPlace, files: FilesRead): Promise<ReadSkill> {
    if ((await files.stamp(file)) === '') return { missing: true };
    const read = sameIfEqual(
      this.known.get(file),
      await readSkill(file, place, this.ports.workspace.roots()[0], files.view.open),
    );
    this.known.set(file, read);
    return read;
  }

  /** The skills that `skills` in the settings of Gemini CLI turns off. No other file can turn them on again. */
  private async switchedOff(files: FilesRead): Promise<ReadonlySet<string> | 'all'> {
    const folders = [this.ports.geminiHome, ...this.ports.workspace.roots().slice(0, 1)];
    const settings = await Promise.all(folders.map(async (folder) => (await folderSettings(folder, files))['skills']));
    const switches = settings.filter(isObject);
    if (switches.some(({ enabled }) => enabled === false)) return 'all';
    const names = switches.flatMap(({ disabled }) => (Array.isArray(disabled) ? disabled : []));
    return new Set(names.filter((name) => typeof name === 'string').map(keyOf));
  }
}

/** As in Gemini CLI, hidden folders and node_modules contain no skills. */
async function skillFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .sort()
    .slice(0, MAX_SKILLS);
  return ['SKILL.md', ...names.map((name) => join(name, 'SKILL.md'))].map((name) => join(folder, name));
}

function keyOf(name: string): string {
  return name.toLowerCase();
}

function lastOfEach(skills: readonly Skill[]): Skill[] {
  return skills.filter((skill) => usedInstead(skill, skills) === undefined);
}

/** The last skill with the name of this one, if that is another. */
function usedInstead(skill: Skill, all: readonly Skill[]): Skill | undefined {
  const used = all.findLast(({ name }) => keyOf(name) === keyOf(skill.name));
  return used === skill ? undefined : used;
}

function hiddenProblem(skill: Skill, all: readonly Skill[]): SkillProblem | undefined {
  const used = usedInstead(skill, all);
  if (!used) return undefined;
  const { file, name, nameRange: range } = skill;
  const text = l10n.t('Another skill with the name "{0}" is used instead of this one.', name);
  return { file, line: range.line, range, text, other: { file: used.file, range: used.nameRange } };
}

/** Returns the earlier skill if the file was written again with the same content. */
function sameIfEqual(earlier: ReadSkill | undefined, fresh: ReadSkill): ReadSkill {
  const factsOf = ({ hash, folder, nameRange }: Skill): unknown => [hash, folder, nameRange];
  const isSame =
    earlier &&
    'skill' in earlier &&
    'skill' in fresh &&
    isDeepStrictEqual(factsOf(earlier.skill), factsOf(fresh.skill));
  return isSame ? earlier : fresh;
}
