import { basename, dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Diagnostic } from 'vscode-languageserver-types';
import { onceEach } from '../../base/once.ts';
import { readOpenSkill } from '../../skills/read-skill.ts';
import type { SkillProblem } from '../../skills/skill.ts';
import { inFile, LineIndex } from '../../text/text-range.ts';
import { plainSpan } from '../agents/agent-names.ts';
import { mentionedCommands } from '../commands/command-names.ts';
import { configCatalogs, extensionPlaces, extensionsInUse } from '../config-catalogs.ts';
import type { ConfigDocument } from '../config-document.ts';
import { type ReadProblem, toDiagnostic } from '../diagnostics.ts';
import { matterOf, nodeAtPath } from '../front-matter/matter.ts';
import { type MatterVocabulary, matterCompletions, matterHover, yamlText } from '../front-matter/matter-help.ts';
import { matterFolding, matterOutline } from '../front-matter/matter-outline.ts';
import type { LanguageSupport } from '../language.ts';
import type { NameUse } from '../names.ts';
import type { Workspace } from '../workspace.ts';
import { skillActions } from './skill-actions.ts';
import { keysWithoutEffect, skillSchema } from './skill-keys.ts';

const skillVocabulary: MatterVocabulary = { schemas: () => [skillSchema()] };

/** The skill that a file defines, and the commands that its text names. */
const skillNames = onceEach((file: ConfigDocument): readonly NameUse[] => {
  const matter = matterOf(file);
  const node = nodeAtPath(matter?.root, ['name']);
  if (!matter || typeof node?.value !== 'string') return [];
  const span = plainSpan(matter, node, node.value);
  const body = { start: matter.offset + matter.header.length, end: file.text.length };
  const isQuoted = /["']/.test(matter.header[node.start] ?? '');
  const own: readonly NameUse[] = span
    ? [{ kind: 'skill', name: node.value, isDefinition: true, ...span, write: (name) => inYaml(name, isQuoted) }]
    : [];
  return [...own, ...mentionedCommands(file.text, body)];
});

/** A name without the characters that would end a text in quotes; `skillNameFault` refuses the others. */
function inYaml(name: string, isQuoted: boolean): string {
  return isQuoted ? name.replaceAll("'", '’') : yamlText(name);
}

/** Skills: `SKILL.md`. */
export const skillLanguage: LanguageSupport = {
  problems: skillProblems,
  completions: (file, offset, workspace) => matterCompletions(file, offset, skillVocabulary, workspace),
  hover: (file, offset, workspace) => matterHover(file, offset, skillVocabulary, workspace),
  names: skillNames,
  actions: skillActions,
  outline: matterOutline,
  folding: matterFolding,
};

/** The skill in a document, read alone. */
const skillIn = onceEach(({ text, path }: ConfigDocument) => readOpenSkill(text, path));

async function skillProblems(file: ConfigDocument, workspace: Workspace): Promise<readonly Diagnostic[]> {
  const library = await configCatalogs(workspace)?.skillLibrary();
  const alone = skillIn(file);
  const known = library?.problems.filter((problem) => problem.file === file.path) ?? [];
  const read: readonly SkillProblem[] = known.length > 0 ? known : 'problem' in alone ? [alone.problem] : [];
  const isUsed = library?.list.some((skill) => skill.file === file.path);
  const state = isUsed === false && read.length === 0 ? await notUsed(file, workspace) : [];
  return [...read, ...state, ...ofKeys(file)].map(toDiagnostic);
}

async function notUsed(file: ConfigDocument, workspace: Workspace): Promise<readonly ReadProblem[]> {
  const alone = skillIn(file);
  if (await isDeveloped(file, workspace)) return [];
  const folders = [dirname(file.path), dirname(dirname(file.path))];
  const text = folders.some((folder) => basename(folder) === 'skills')
    ? l10n.t('This skill is not used: settings turn it off, or it is not in a folder where Gantry looks for skills.')
    : l10n.t(
        'Gantry looks for skills only in the folders of `.gemini/skills`, of `.agents/skills` and of `skills` in an extension.',
      );
  return [{ text, kind: 'not-used', severity: 'information', ...('nameRange' in alone && { range: alone.nameRange }) }];
}

/** A skill of an extension that is open: it is used where the extension is installed. */
async function isDeveloped({ path }: ConfigDocument, workspace: Workspace): Promise<boolean> {
  const skills = dirname(dirname(path));
  if (basename(skills) !== 'skills' || !(await extensionPlaces(workspace)).includes(dirname(skills))) return false;
  return !(await extensionsInUse(workspace)).some(({ folder }) => folder === dirname(skills));
}

function ofKeys(file: ConfigDocument): readonly ReadProblem[] {
  const matter = matterOf(file);
  if (!matter?.root) return [];
  const lines = new LineIndex(file.text);
  const problems: ReadProblem[] = keysWithoutEffect(matter).map(({ name, key, like }) => ({
    text:
      like === undefined
        ? l10n.t('The key "{0}" has no effect here.', name)
        : l10n.t('The key "{0}" has no effect here. Did you mean "{1}"?', name, like),
    kind: 'ignored-key',
    severity: like === undefined ? 'information' : 'warning',
    isNeedless: like === undefined,
    range: lines.rangeOf(inFile(matter, key)),
  }));
  return [...problems, ...changedName(file)];
}

/** Characters with a meaning in paths are replaced, and long names are cut. */
function changedName(file: ConfigDocument): readonly ReadProblem[] {
  const alone = skillIn(file);
  const written = nodeAtPath(matterOf(file)?.root, ['name'])?.value;
  if ('problem' in alone || typeof written !== 'string' || written.trim() === alone.name) return [];
  const text = l10n.t(
    'The name of the skill is "{0}": other characters and longer names are not possible.',
    alone.name,
  );
  return [{ text, kind: 'changed-name', severity: 'information', range: alone.nameRange }];
}
