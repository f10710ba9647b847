import type { DocumentLink } from 'vscode-languageserver-types';
import { inFile } from '../../text/text-range.ts';
import type { ConfigDocument } from '../config-document.ts';
import { matterOf, textsIn } from '../front-matter/matter.ts';
import { matterCompletions, matterHover } from '../front-matter/matter-help.ts';
import { matterFolding, matterOutline, variableTokens } from '../front-matter/matter-outline.ts';
import type { LanguageSupport } from '../language.ts';
import { agentActions } from './agent-actions.ts';
import { agentNames } from './agent-names.ts';
import { agentDiagnostics } from './agent-problems.ts';
import { agentVocabulary } from './agent-values.ts';
import { variableKind } from './agent-variables.ts';

/** Definitions of agents: `agents/*.md`. */
export const agentLanguage: LanguageSupport = {
  problems: agentDiagnostics,
  completions: (file, offset, workspace) => matterCompletions(file, offset, agentVocabulary, workspace),
  hover: (file, offset, workspace) => matterHover(file, offset, agentVocabulary, workspace),
  names: agentNames,
  actions: agentActions,
  links: webLinks,
  outline: matterOutline,
  folding: matterFolding,
  tokens: (file) => variableTokens(file, (path) => variableKind(path) !== undefined),
};

/** The addresses in the front matter. */
function webLinks(file: ConfigDocument): readonly DocumentLink[] {
  const matter = matterOf(file);
  if (!matter?.root) return [];
  return [...textsIn(matter.root)].flatMap(({ node, text }): DocumentLink[] => {
    if (!/^https?:\/\/[^\s<>"{}|\\^`]+$/i.test(text)) return [];
    return [{ range: file.rangeOf(inFile(matter, node)), target: text }];
  });
}
