import * as l10n from '@vscode/l10n';
import type { ListedAgent } from '../../../agents/agent-catalog.ts';
import type { AgentProblem } from '../../../agents/agent-definition.ts';
import type { OwnInstruction } from '../../../context/instruction/own-instruction.ts';
import {
  type LoadedMemory,
  type MemoryProblem,
  memoryProblemText,
  originWords,
} from '../../../context/memory/loaded-memory.ts';
import { textLocale } from '../../../protocol/words/numbers.ts';
import type { Skill, SkillProblem } from '../../../skills/skill.ts';
import { Commands } from '../../names.ts';
import type { NoticeRow, SlashNotice } from '../../suggestions/slash-command.ts';

/** Returns the short form of a path. */
type PlaceOf = (path: string) => string;

/** Lists each instruction file with its origin and its cost in every request. */
export function memoryNotice(files: readonly LoadedMemory[], placeOf: PlaceOf, own?: OwnInstruction): SlashNotice {
  if (files.length === 0 && !own)
    return { title: l10n.t('There is no instruction file. Use /init to create one.'), rows: [] };
  const tokens = files.reduce((sum, file) => sum + file.tokens, own?.tokens ?? 0);
  return {
    title: l10n.t('Instructions: about {0} tokens in every request', numbered(tokens)),
    rows: [...ownRows(own, placeOf), ...files.flatMap((file) => fileRows(file, placeOf))],
  };
}

function ownRows(own: OwnInstruction | undefined, placeOf: PlaceOf): NoticeRow[] {
  if (!own) return [];
  const value = l10n.t("Replaces Gantry's own instruction (GEMINI_SYSTEM_MD). About {0} tokens", numbered(own.tokens));
  return [{ name: placeOf(own.path), value, file: { path: own.path } }];
}

function fileRows(file: LoadedMemory, placeOf: PlaceOf): NoticeRow[] {
  return [
    { name: file.label, value: memoryState(file), file: { path: file.path } },
    ...file.imported.map((path) => ({
      name: placeOf(path),
      value: l10n.t('Imported by {0}', file.label),
      file: { path },
    })),
    ...file.problems.map((problem) => memoryProblemRow(problem, placeOf)),
  ];
}

function memoryState({ origin, tokens, isQuoted }: LoadedMemory): string {
  if (isQuoted)
    return l10n.t(
      '{0}. Quoted as data, because this folder is not trusted. About {1} tokens',
      originWords(origin),
      numbered(tokens),
    );
  return l10n.t('{0}. About {1} tokens', originWords(origin), numbered(tokens));
}

function memoryProblemRow({ file, line, reason, path = '' }: MemoryProblem, placeOf: PlaceOf): NoticeRow {
  return { name: `${placeOf(file)}:${line}`, value: memoryProblemText(reason, path), file: { path: file, line } };
}

interface SkillsNow {
  readonly skills: readonly Skill[];
  readonly problems: readonly SkillProblem[];
  isAccepted(skill: Skill): boolean;
}

export function skillsNotice({ skills, problems, isAccepted }: SkillsNow, placeOf: PlaceOf): SlashNotice {
  if (skills.length === 0 && problems.length === 0) return { title: l10n.t('There are no skills here'), rows: [] };
  const state = (skill: Skill): string => {
    if (skill.source === 'user') return l10n.t('Yours');
    if (skill.origin !== undefined)
      return isAccepted(skill)
        ? l10n.t('From the {0}, approved', skill.origin)
        : l10n.t('From the {0}, requires approval when it is used', skill.origin);
    return isAccepted(skill)
      ? l10n.t('From this folder, approved')
      : l10n.t('From this folder, requires approval when it is used');
  };
  return {
    title: l10n.t('Skills'),
    rows: [
      ...skills.map((skill) => ({
        name: skill.name,
        value: `${state(skill)}. ${skill.description}`,
        file: { path: skill.file },
      })),
      ...problems.map((problem) => problemRow(problem, placeOf)),
    ],
  };
}

interface AgentsNow {
  readonly listed: readonly ListedAgent[];
  readonly problems: readonly AgentProblem[];
  readonly waiting: number;
}

export function agentsNotice({ listed, problems, waiting }: AgentsNow, placeOf: PlaceOf): SlashNotice {
  return {
    title: l10n.t('Agents. Use @ to choose one'),
    rows: [
      ...listed.map(({ definition, source, file: own, extension, unusable }) => {
        const file = own ?? unusable?.file;
        return {
          name: definition.displayName ?? definition.name,
          value: `${agentState(source, unusable?.text, extension)} ${definition.description}`,
          ...(file !== undefined && { file: { path: file } }),
        };
      }),
      ...problems.map((problem) => problemRow(problem, placeOf)),
    ],
    ...(waiting > 0 && { actions: [{ label: l10n.t('Review agents'), command: Commands.reviewAgents }] }),
  };
}

function agentState(source: ListedAgent['source'], unusable: string | undefined, extension = ''): string {
  if (unusable !== undefined) return l10n.t('Off: {0}', unusable);
  switch (source) {
    case 'built-in':
      return l10n.t('Comes with Gantry.');
    case 'user':
      return l10n.t('Yours.');
    case 'project':
      return l10n.t('From this folder, approved.');
    case 'extension':
      return l10n.t('From the extension {0}, approved.', extension);
  }
}

function problemRow(
  { file, line, text }: { readonly file: string; readonly line: number; readonly text: string },
  placeOf: PlaceOf,
): NoticeRow {
  return { name: `${placeOf(file)}:${line}`, value: text, file: { path: file, line } };
}

function numbered(count: number): string {
  return count.toLocaleString(textLocale());
}
