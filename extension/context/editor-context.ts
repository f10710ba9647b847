import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { EditorProblem } from '../ports/editor.ts';
import type { ReferencePart } from '../protocol/agent/content-part.ts';
import type { SentEditor } from '../protocol/agent/reference.ts';
import { editorPart } from '../protocol/agent/reference-parts.ts';
import { fileLabel } from '../protocol/words/labels.ts';
import { oneLine } from '../text/one-line.ts';
import { cut } from '../tools/editor/listing.ts';
import type { ActiveFile, EditorFacts } from './editor-facts.ts';

/** The description of the editor: short for people, in sections for the model. */
export interface EditorContext {
  /** Such as "auth.ts:10-20". */
  readonly label: string;
  /** A description of what would be sent, for people. */
  readonly summary: string;
  readonly sections: Sections;
}

const NAMES = ['file', 'selection', 'visible', 'open', 'problems'] as const;
type SectionName = (typeof NAMES)[number];
type Sections = Readonly<Partial<Record<SectionName, string>>>;

/** The same limit as in Gemini CLI's companion. */
const MAX_SELECTED_CHARS = 16_384;
const MAX_PROBLEMS = 10;
const MAX_MESSAGE = 300;

/** Returns undefined if there is nothing to share. */
export function editorContext(facts: EditorFacts): EditorContext | undefined {
  const { active, visible, open } = facts;
  const sections = sectionsOf(facts);
  if (Object.keys(sections).length === 0) return undefined;
  const label = active ? activeLabel(active, facts.severalFolders) : openFiles(new Set([...visible, ...open]).size);
  return { label, summary: summaryOf(facts), sections };
}

/**
 * The reference that describes the editor: completely, or only the changes since the message whose sections are
 * `known`. Undefined if nothing changed.
 */
export function editorReference(
  context: EditorContext | undefined,
  known: SentEditor['sections'] = {},
): ReferencePart | undefined {
  const { label = l10n.t('no open file'), sections = {} } = context ?? {};
  const prints = Object.fromEntries(Object.entries(sections).map(([name, text]) => [name, fingerprint(text)]));
  const changed = NAMES.filter((name) => prints[name] !== known[name]);
  if (changed.length === 0) return undefined;
  const isUpdate = Object.keys(known).length > 0;
  const lines = changed.map((name) => sections[name] ?? GONE[name]);
  const text = [...(isUpdate ? ['Changed since the last message that told of it:'] : []), ...lines].join('\n');
  return editorPart({ label, sections: prints }, text);
}

const GONE: Readonly<Record<SectionName, string>> = {
  file: 'Active file: none',
  selection: 'Selected: nothing',
  visible: 'Also visible: nothing',
  open: 'Also open: nothing',
  problems: 'Problems in the active file: none',
};

function sectionsOf({ active, visible, open }: EditorFacts): Sections {
  return {
    ...(active && { file: fileText(active) }),
    ...(active?.selection && { selection: selectionText(active.label, active.selection) }),
    ...(visible.length > 0 && { visible: `Also visible: ${named(visible)}` }),
    ...(open.length > 0 && { open: `Also open, the most recently used first: ${named(open)}` }),
    ...(active && active.problems.length > 0 && { problems: problemsText(active) }),
  };
}

function fileText({ label, isDirty, cursor }: ActiveFile): string {
  const unsaved = isDirty ? ' (unsaved changes)' : '';
  return `Active file: ${oneLine(label, MAX_MESSAGE)}${unsaved}${cursor ? `, cursor in line ${cursor.line}` : ''}`;
}

function selectionText(label: string, { startLine, endLine, text }: NonNullable<ActiveFile['selection']>): string {
  const isCut = text.length > MAX_SELECTED_CHARS;
  const lines = cut(text, MAX_SELECTED_CHARS)
    .split(/\r\n|\r|\n/)
    .map((line) => `| ${line}`);
  const note = isCut ? [`(cut after ${MAX_SELECTED_CHARS} of ${text.length} characters)`] : [];
  return [`Selected in ${oneLine(label, MAX_MESSAGE)}, lines ${startLine}-${endLine}:`, ...lines, ...note].join('\n');
}

function problemsText({ label, problems }: ActiveFile): string {
  const shown = [...problems].sort(bySeverity).slice(0, MAX_PROBLEMS).map(problemLine);
  const rest = problems.length > MAX_PROBLEMS ? [`  and ${problems.length - MAX_PROBLEMS} more`] : [];
  return [`Problems in ${oneLine(label, MAX_MESSAGE)}: ${problems.length}`, ...shown, ...rest].join('\n');
}

const SEVERITIES: readonly EditorProblem['severity'][] = ['error', 'warning', 'information', 'hint'];

function bySeverity(left: EditorProblem, right: EditorProblem): number {
  return SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity) || left.line - right.line;
}

function problemLine({ line, severity, message, source, code }: EditorProblem): string {
  const by = [source, code].filter((word) => word !== undefined).join(' ');
  return `  ${line}: ${severity}: ${oneLine(message, MAX_MESSAGE)}${by === '' ? '' : ` (${oneLine(by, MAX_MESSAGE)})`}`;
}

function activeLabel({ label, selection }: ActiveFile, severalFolders: boolean): string {
  return fileLabel(label, selection, severalFolders ? label.split('/', 1)[0] : undefined);
}

function summaryOf({ active, activeIsHidden, visible, open }: EditorFacts): string {
  const { selection, problems = [] } = active ?? {};
  const parts = [
    active &&
      (selection
        ? l10n.t('{0}, lines {1}-{2} selected', active.label, selection.startLine, selection.endLine)
        : active.label),
    activeIsHidden ? l10n.t('without the active file, which is ignored or looks like a secret') : undefined,
    problems.length > 0 ? problemCount(problems.length) : undefined,
    visible.length > 0 ? l10n.t('also visible: {0}', named(visible)) : undefined,
    open.length > 0 ? l10n.t('also open: {0}', named(open)) : undefined,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

function openFiles(count: number): string {
  return count === 1 ? l10n.t('1 open file') : l10n.t('{0} open files', count);
}

function problemCount(count: number): string {
  return count === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', count);
}

function named(labels: readonly string[]): string {
  return labels.map((label) => oneLine(label, MAX_MESSAGE)).join(', ');
}

/** Serves only to detect changes. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
