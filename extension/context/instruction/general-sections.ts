import { contextWindow, type ModelFamily, modelFamily } from '../../model/catalog/known-models.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import asking from './sections/asking.md';
import closing from './sections/closing.md';
import commands from './sections/commands.md';
import conventions from './sections/conventions.md';
import delegating from './sections/delegating.md';
import editExample from './sections/edit-example.md';
import editing from './sections/editing.md';
import editor from './sections/editor.md';
import exploring from './sections/exploring.md';
import git from './sections/git.md';
import hooks from './sections/hooks.md';
import recap from './sections/recap.md';
import renaming from './sections/renaming.md';
import reporting from './sections/reporting.md';
import requests from './sections/requests.md';
import role from './sections/role.md';
import roleHeadless from './sections/role-headless.md';
import security from './sections/security.md';
import small from './sections/small.md';
import smallSafety from './sections/small-safety.md';
import todos from './sections/todos.md';
import working from './sections/working.md';

/** A family of models, or `small` for a model of any family whose window has no room for the whole instruction. */
export type InstructionVariant = ModelFamily | 'small';

/** In tokens. The whole instruction and the tools take up to a fifth of this. */
const SMALL_WINDOW = 32_768;

export function instructionVariant(model: string): InstructionVariant {
  return contextWindow(model) <= SMALL_WINDOW ? 'small' : modelFamily(model);
}

/** What the general sections depend on. */
export interface GeneralFacts {
  readonly isTrusted: boolean;
  readonly mode: ApprovalMode;
  /** Whether a user can answer questions. */
  readonly isInteractive: boolean;
  readonly hasHooks: boolean;
  /** The names of the tools that are offered now. */
  readonly tools: readonly string[];
  readonly variant: InstructionVariant;
}

export interface GeneralSection {
  /** The name of its file. */
  readonly name: string;
  readonly text: string;
  /** When the section applies, for people. */
  readonly condition: string;
  readonly applies: (facts: GeneralFacts) => boolean;
}

const works = ({ isTrusted, mode }: GeneralFacts): boolean => isTrusted && mode !== 'plan';
const isFull = ({ variant }: GeneralFacts): boolean => variant !== 'small';
const offers =
  (tool: string) =>
  (facts: GeneralFacts): boolean =>
    isFull(facts) && facts.tools.includes(tool);

/**
 * The sections at the beginning. They differ only where the tools differ too, or another model is used: a change of
 * the instruction makes the service read the whole conversation anew.
 */
export const OPENING: readonly GeneralSection[] = [
  section('role', role, 'with a user', ({ isInteractive }) => isInteractive),
  section('role-headless', roleHeadless, 'without a user', ({ isInteractive }) => !isInteractive),
  section('small', small, 'small window', ({ variant }) => variant === 'small'),
  section('small-safety', smallSafety, 'small window', ({ variant }) => variant === 'small'),
  section('requests', requests, 'always', isFull),
  section('asking', asking, 'with a user and ask_user', (facts) => facts.isInteractive && offers('ask_user')(facts)),
  section('working', working, 'trusted, not in plan mode', (facts) => isFull(facts) && works(facts)),
  section('todos', todos, 'with write_todos', offers('write_todos')),
  section('conventions', conventions, 'trusted, not in plan mode', (facts) => isFull(facts) && works(facts)),
  section('exploring', exploring, 'always', isFull),
  section('editor', editor, 'with find_references', offers('find_references')),
  section('delegating', delegating, 'with invoke_agent', offers('invoke_agent')),
  section('editing', editing, 'with replace, not in plan mode', (facts) => works(facts) && offers('replace')(facts)),
  section(
    'edit-example',
    editExample,
    'as editing, for models before Gemini 3',
    (facts) => works(facts) && offers('replace')(facts) && facts.variant !== 'gemini-3',
  ),
  section('renaming', renaming, 'with rename_symbol', offers('rename_symbol')),
  section('commands', commands, 'with run_shell_command', offers('run_shell_command')),
  section('git', git, 'with run_shell_command', offers('run_shell_command')),
  section('security', security, 'always', isFull),
  section('reporting', reporting, 'always', isFull),
  section('hooks', hooks, 'with hooks', ({ hasHooks }) => hasHooks),
];

/** The sections at the very end: Gemini keeps to limits best if they come last. */
export const CLOSING: readonly GeneralSection[] = [
  section('closing', closing, 'always', () => true),
  section('recap', recap, 'for Gemini 2.5', (facts) => facts.variant === 'gemini-2.5' && works(facts)),
];

export function textsOf(sections: readonly GeneralSection[], facts: GeneralFacts): readonly string[] {
  return sections.filter(({ applies }) => applies(facts)).map(({ text }) => text);
}

function section(name: string, text: string, condition: string, applies: GeneralSection['applies']): GeneralSection {
  return { name, text: sectionText(text), condition, applies };
}

/** Git may have written the file with other line ends. */
export function sectionText(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
