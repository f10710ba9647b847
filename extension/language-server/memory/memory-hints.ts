import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { type InlayHint, MarkupKind, type Range } from 'vscode-languageserver-types';
import { originWords } from '../../context/memory/loaded-memory.ts';
import { textTokens } from '../../context/tokens/text-tokens.ts';
import { contains } from '../../files/real-path.ts';
import { configCatalogs } from '../config-catalogs.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';
import { aboutTokens, type KnownMemory, knownMemory, MAX_BYTES, tokenNumber } from './memory-state.ts';

/** What the file costs in every request, and whether it is loaded: at the end of its first line. */
export async function memoryHints(
  file: ConfigDocument,
  range: Range,
  workspace: Workspace,
): Promise<readonly InlayHint[]> {
  if (range.start.line > 0) return [];
  const known = await knownMemory(file, workspace);
  const [line = ''] = file.text.split(/[\r\n]/, 1);
  const alone = textTokens(file.text.slice(0, MAX_BYTES));
  const whole = known?.own?.tokens ?? alone;
  const cost =
    (known?.own?.imported.length ?? 0) > 0
      ? l10n.t('{0}, {1} of its own', aboutTokens(whole), tokenNumber(alone))
      : aboutTokens(whole);
  const state = known ? await stateOf(file, known, workspace) : { text: l10n.t('quoted as data') };
  const { text, why = l10n.t('This folder is not trusted, so the model gets the beginning of the file as data.') } =
    state;
  const tooltip = { kind: MarkupKind.PlainText, value: why };
  const position = { line: 0, character: line.length };
  // VS Code cuts hints after 43 characters, so what matters least comes last.
  return [{ position, label: `${text} · ${cost}`, tooltip, paddingLeft: true }];
}

interface State {
  readonly text: string;
  readonly why?: string;
}

async function stateOf(file: ConfigDocument, known: KnownMemory, workspace: Workspace): Promise<State> {
  const { own, importers } = known;
  if (own)
    return { text: own.origin === 'subfolder' ? l10n.t('loaded when used') : l10n.t('loaded'), why: loadedText(own) };
  const [importer] = importers;
  if (importer) {
    const why = l10n.t('{0} imports it.', workspace.labelOf(importer.path));
    return { text: l10n.t('loaded as a part'), why };
  }
  return { text: l10n.t('not loaded'), why: await whyNotLoaded(file, known, workspace) };
}

function loadedText(own: NonNullable<KnownMemory['own']>): string {
  const where =
    own.origin === 'subfolder'
      ? l10n.t('The model gets it when a tool has worked in this folder')
      : originWords(own.origin);
  const imports = own.imported.map((path) => basename(path)).join(', ');
  return imports === '' ? `${where}.` : `${where}. ${l10n.t('It imports {0}.', imports)}`;
}

async function whyNotLoaded(file: ConfigDocument, { paths }: KnownMemory, workspace: Workspace): Promise<string> {
  if (file.text.trim() === '') return l10n.t('The file is empty.');
  const names = (await configCatalogs(workspace)?.memoryNames()) ?? [];
  const name = basename(file.path);
  if (!names.includes(name)) return l10n.t('Settings name other files with instructions: {0}.', names.join(', '));
  const { roots, home } = workspace.options;
  const isInside = [...roots, home].some((root) => paths.some((path) => contains(root, path)));
  if (!isInside) return l10n.t('The file is not in an open folder.');
  return l10n.t(
    'The file or its folder is hidden by ignore rules, belongs to other projects, or leads out of this one.',
  );
}
