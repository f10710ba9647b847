import type { DiskView } from '../files/disk-view.ts';
import type { SkillCatalog, SkillSummary, SkillText } from '../tools/conversation/activate-skill.ts';
import type { Skill } from './skill.ts';
import type { SkillLibrary } from './skill-library.ts';

/** The skills as one session sees them. */
export class SessionSkills implements SkillCatalog {
  constructor(
    readonly library: SkillLibrary,
    private readonly session: {
      /** The trust that applies to the current run. */
      readonly isTrusted: () => boolean;
      /** The names of the activated skills. */
      readonly activated: () => readonly string[];
    },
  ) {}

  list(): readonly SkillSummary[] {
    return this.session.isTrusted() ? this.library.list : NO_SKILLS;
  }

  /** Reads files again that changed on disk. */
  async refresh(view: DiskView): Promise<readonly SkillSummary[]> {
    await this.library.refresh(view);
    return this.list();
  }

  read(name: string): Promise<SkillText> {
    const { instructions, hash } = this.require(name);
    return Promise.resolve({ instructions, hash });
  }

  consentTo(name: string): 'needed' | 'given' | undefined {
    const skill = this.library.find(name);
    if (!skill || skill.source === 'user') return undefined;
    return this.library.isAccepted(skill) ? 'given' : 'needed';
  }

  async agreed(name: string, hash: string): Promise<void> {
    if (this.consentTo(name)) await this.library.accept({ hash });
  }

  /** Folders that may be read besides the workspace: those of activated skills. */
  readableFolders(): readonly string[] {
    if (!this.session.isTrusted()) return [];
    return this.session.activated().flatMap((name) => {
      const skill = this.library.find(name);
      return skill?.ownsFolder ? [skill.folder] : [];
    });
  }

  private require(name: string): Skill {
    const skill = this.library.find(name);
    if (!skill) throw new Error('it is not there any more');
    return skill;
  }
}

/** The same list each time, because the instruction is rebuilt for another one. */
const NO_SKILLS: readonly Skill[] = [];
