import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { News } from '../base/news.ts';
import { isObject } from '../base/objects.ts';
import { AcceptedHashes } from '../files/accepted.ts';
import { fileStamp } from '../files/file-stamp.ts';
import { canonicalFolder } from '../files/real-path.ts';
import { FolderSettings } from '../gemini-config/folder-settings.ts';
import type { ExtensionsInUse } from '../ports/extension-folder.ts';
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

interface KnownSkill {
  readonly stamp: string;
  readonly read: Promise<ReadSkill>;
}

/** More than a real folder has. */
const MAX_SKILLS = 200;

/** The skills of the user, of the open folders and of extensions, shared by all sessions. None in Restricted Mode. */
export class SkillLibrary {
  private readonly known = new Map<string, KnownSkill>();
  private readonly listed = new Map<string, { readonly stamp: string; readonly files: readonly string[] }>();
  private readonly accepted: AcceptedHashes;
  private readonly settings = new FolderSettings();
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

  /** Reads files again that changed on disk. */
  async refresh(): Promise<readonly Skill[]> {
    const { workspace, geminiHome } = this.ports;
    if (!workspace.isTrusted()) return [];
    const places = skillPlaces(geminiHome, workspace.roots(), (await this.ports.extensions?.()) ?? []);
    const [read, off] = await Promise.all([
      Promise.all(places.map((place) => this.readPlace(place))),
      this.switchedOff(),
    ]);
    const found = read.flat();
    const all = found.flatMap((each) => ('skill' in each ? [each.skill] : []));
    const skills = off === 'all' ? [] : lastOfEach(all).filter(({ name }) => !off.has(keyOf(name)));
    const broken = found.flatMap((each) => ('problem' in each ? [each.problem] : []));
    this.faults = [...broken, ...all.filter((skill) => isHidden(skill, all)).map(hiddenProblem)];
    if (skills.length !== this.skills.length || skills.some((skill, at) => skill !== this.skills[at]))
      this.skills = skills;
    // A waiting skill may have been accepted in another window.
    if (skills.some((skill) => skill.source !== 'user' && !this.isAccepted(skill))) await this.accepted.load();
    return this.list;
  }

  private async readPlace(place: SkillPlace): Promise<ReadSkill[]> {
    const files = await this.filesIn(place.folder);
    return Promise.all(files.map((file) => this.readFile(file, place)));
  }

  private async filesIn(folder: string): Promise<readonly string[]> {
    const stamp = await fileStamp(folder);
    if (stamp === '') return [];
    const known = this.listed.get(folder);
    if (known?.stamp === stamp) return known.files;
    // As in Gemini CLI, hidden folders and node_modules contain no skills.
    const names = (await readdir(folder).catch(() => []))
      .filter((name) => !name.startsWith('.') && name !== 'node_modules')
      .sort()
      .slice(0, MAX_SKILLS);
    const files = ['SKILL.md', ...names.map((name) => join(name, 'SKILL.md'))].map((name) => join(folder, name));
    this.listed.set(folder, { stamp, files });
    return files;
  }

  private async readFile(file: string, place: SkillPlace): Promise<ReadSkill> {
    const stamp = await fileStamp(file);
    if (stamp === '') return { missing: true };
    const known = this.known.get(file);
    if (known?.stamp === stamp) return known.read;
    const read = readSkill(file, place, this.ports.workspace.roots()[0]).then(async (fresh) =>
      sameIfEqual(await known?.read, fresh),
    );
    this.known.set(file, { stamp, read });
    return read;
  }

  /** The skills that `skills` in the settings of Gemini CLI turns off. No other file can turn them on again. */
  private async switchedOff(): Promise<ReadonlySet<string> | 'all'> {
    const folders = [this.ports.geminiHome, ...this.ports.workspace.roots().slice(0, 1)];
    const settings = await Promise.all(folders.map(async (folder) => (await this.settings.of(folder))['skills']));
    const switches = settings.filter(isObject);
    if (switches.some(({ enabled }) => enabled === false)) return 'all';
    const names = switches.flatMap(({ disabled }) => (Array.isArray(disabled) ? disabled : []));
    return new Set(names.filter((name) => typeof name === 'string').map(keyOf));
  }
}

function keyOf(name: string): string {
  return name.toLowerCase();
}

function lastOfEach(skills: readonly Skill[]): Skill[] {
  return skills.filter((skill) => !isHidden(skill, skills));
}

function isHidden(skill: Skill, all: readonly Skill[]): boolean {
  return all.findLast(({ name }) => keyOf(name) === keyOf(skill.name)) !== skill;
}

function hiddenProblem({ file, name }: Skill): SkillProblem {
  return { file, line: 1, text: l10n.t('Another skill with the name "{0}" is used instead of this one.', name) };
}

/** Returns the earlier skill if the file was written again with the same content. */
function sameIfEqual(earlier: ReadSkill | undefined, fresh: ReadSkill): ReadSkill {
  const isSame = earlier && 'skill' in earlier && 'skill' in fresh && earlier.skill.hash === fresh.skill.hash;
  return isSame && earlier.skill.folder === fresh.skill.folder ? earlier : fresh;
}
