import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { namedFailure } from '../../files/file-failure.ts';
import { type ProposeOutcome, type Tool, type ToolResult, toolError } from '../../ports/tool.ts';
import { oneLine } from '../../text/one-line.ts';
import { escapeAttribute } from '../../text/untrusted.ts';
import { folderTree } from './folder-tree.ts';

export interface SkillSummary {
  readonly name: string;
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
  readonly isBuiltIn: boolean;
  /** The origin, if it isn't the user or the project, such as "extension x". */
  readonly origin?: string;
}

/** The instructions of a skill. */
export interface SkillText {
  readonly instructions: string;
  /** Identifies exactly this version of the skill. */
  readonly hash: string;
}

/** The enabled skills. */
export interface SkillCatalog {
  list(): readonly SkillSummary[];
  read(name: string): Promise<SkillText>;
  /** Whether the user must approve the skill or already did. Undefined if the rules decide. */
  consentTo(name: string): 'needed' | 'given' | undefined;
  /** Records that the user approved the skill with this hash. */
  agreed(name: string, hash: string): Promise<void>;
}

const skillSchema = once(() =>
  z.object({
    name: z.string().min(1).max(200).describe('Name of the skill, from the list in your instructions.'),
  }),
);

export type ActivateSkillTool = Tool<ReturnType<typeof skillSchema>>;

/** The limit for the instructions that the question shows. */
const MAX_SHOWN = 3000;

/** The names are in the system instruction, because skills change and tool declarations should stay the same. */
export function createActivateSkillTool(skills: SkillCatalog): ActivateSkillTool {
  /** The hashes of the skills that users were shown, by call. */
  const shown = new Map<string, string>();
  return {
    name: 'activate_skill',
    displayName: 'Activate Skill',
    // It changes nothing, so it is also available in plan mode.
    kind: 'think',
    description:
      'Loads a skill: instructions for one kind of task, with files that belong to them. Activate a skill as soon as its ' +
      'description fits the task, before you start, and follow its instructions. Activate it once.',
    get schema() {
      return skillSchema();
    },
    isUseful: () => skills.list().length > 0,
    consent: ({ name }) => (typeof name === 'string' ? skills.consentTo(find(name, skills)?.name ?? name) : undefined),
    describe: ({ name }) => (typeof name === 'string' ? oneLine(name, 200) : ''),
    propose: async ({ name }, { callId }) => {
      const { outcome, hash } = await propose(name, skills);
      if (hash !== undefined) shown.set(callId, hash);
      return outcome;
    },
    execute: async ({ name }, { callId, approved }) => {
      const agreed = approved && shown.get(callId);
      shown.delete(callId);
      return activate(name, skills, agreed);
    },
  };
}

async function propose(
  name: string,
  skills: SkillCatalog,
): Promise<{ readonly outcome: ProposeOutcome; readonly hash?: string }> {
  const skill = find(name, skills);
  if (!skill) return { outcome: { failed: unknownSkill(name, skills) } };
  try {
    const { instructions, hash } = await skills.read(skill.name);
    const tree = await folderTree(skill.folder).catch(() => '');
    const resources = tree === '' ? '' : `\n\nIt may read:\n${skill.folder}\n${tree}`;
    const origin = skill.origin === undefined ? '' : ` (${skill.origin})`;
    const isLong = instructions.length > MAX_SHOWN;
    const text =
      `${oneLine(skill.name, 200)}${origin}: ${oneLine(skill.description, 2000)}${resources}\n\nIts instructions:\n` +
      `${instructions.slice(0, MAX_SHOWN)}${isLong ? `\n… (${instructions.length - MAX_SHOWN} more characters)` : ''}`;
    return { outcome: { proposal: { kind: 'details', details: { type: 'info', text } } }, hash };
  } catch (error) {
    return { outcome: { failed: unreadable(skill.name, error) } };
  }
}

async function activate(name: string, skills: SkillCatalog, agreed: string | undefined): Promise<ToolResult> {
  const skill = find(name, skills);
  if (!skill) return unknownSkill(name, skills);
  try {
    const [{ instructions, hash }, tree] = await Promise.all([skills.read(skill.name), folderTree(skill.folder)]);
    if (agreed !== undefined && agreed !== hash) return changed(skill.name);
    if (agreed !== undefined) await skills.agreed(skill.name, hash);
    return {
      content: [
        `<activated_skill name="${escapeAttribute(skill.name)}">`,
        `<instructions>\n${instructions}\n</instructions>`,
        `<available_resources folder="${escapeAttribute(skill.folder)}">\n${tree}\n</available_resources>`,
        '</activated_skill>',
      ].join('\n'),
      display: {
        name: 'Activate Skill',
        description: oneLine(skill.name, 200),
        resultSummary: l10n.t('active'),
        result: null,
      },
      // From now on the agent may read the folder, even after a restart: the permission is derived from this data.
      data: { skill: skill.name },
    };
  } catch (error) {
    return unreadable(skill.name, error);
  }
}

function unreadable(name: string, error: unknown): ToolResult {
  const detail = namedFailure(error);
  return toolError('execution_failed', `The skill "${name}" could not be read: ${detail}`);
}

function changed(name: string): ToolResult {
  return toolError('execution_failed', `The skill "${name}" was changed while the user was asked. Call this again.`);
}

function find(name: string, skills: SkillCatalog): SkillSummary | undefined {
  const wanted = name.toLowerCase();
  const all = skills.list();
  return all.find((skill) => skill.name === name) ?? all.find((skill) => skill.name.toLowerCase() === wanted);
}

function unknownSkill(name: string, skills: SkillCatalog): ToolResult {
  const names = skills.list().map((skill) => skill.name);
  return toolError('invalid_tool_params', `There is no skill "${name}". Available: ${names.join(', ') || 'none'}.`);
}
