import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { escapeAttribute } from '../escape-attribute.ts';
import { oneLine } from '../one-line.ts';
import { type ProposeOutcome, type Tool, type ToolResult, toolError } from '../tool.ts';
import { folderTree } from './folder-tree.ts';

export interface SkillSummary {
  readonly name: string;
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
  readonly isBuiltIn: boolean;
}

/** The skills that are switched on. */
export interface SkillCatalog {
  list(): readonly SkillSummary[];
  /** The skill's instructions. */
  read(name: string): Promise<string>;
  /** From now on the skill's folder may be read. */
  activate(name: string): void;
}

export type ActivateSkillTool = Tool<z.ZodObject<{ name: z.ZodString }>>;

/** Undefined when there is no skill to activate. */
export function createActivateSkillTool(skills: SkillCatalog): ActivateSkillTool | undefined {
  const names = skills.list().map(({ name }) => name);
  if (names.length === 0) return undefined;
  return {
    name: 'activate_skill',
    displayName: 'Activate Skill',
    kind: 'other',
    description:
      "Loads a skill: instructions for a kind of task and the files that go with them. Use it when a skill's description " +
      'fits what you are asked to do, and follow its instructions.',
    // The names are told to the model, but a skill may come or go while the session lasts, and case does not matter.
    schema: z.object({ name: z.string().min(1).meta({ enum: names }).describe('Name of the skill.') }),
    describe: ({ name }) => (typeof name === 'string' ? oneLine(name, 200) : ''),
    propose: ({ name }) => propose(name, skills),
    execute: ({ name }) => activate(name, skills),
  };
}

async function propose(name: string, skills: SkillCatalog): Promise<ProposeOutcome> {
  const skill = find(name, skills);
  if (!skill) return { failed: unknownSkill(name, skills) };
  const tree = await folderTree(skill.folder).catch(() => '');
  const resources = tree === '' ? '' : `\n\nIt may read:\n${skill.folder}\n${tree}`;
  const text = `${oneLine(skill.name, 200)}: ${oneLine(skill.description, 2000)}${resources}`;
  return { proposal: { kind: 'details', details: { type: 'info', text } } };
}

async function activate(name: string, skills: SkillCatalog): Promise<ToolResult> {
  const skill = find(name, skills);
  if (!skill) return unknownSkill(name, skills);
  try {
    const [instructions, tree] = await Promise.all([skills.read(skill.name), folderTree(skill.folder)]);
    skills.activate(skill.name);
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
      data: { skill: skill.name },
    };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return toolError('execution_failed', `The skill "${skill.name}" could not be read: ${detail}`);
  }
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
