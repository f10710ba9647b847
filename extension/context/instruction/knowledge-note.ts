import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import { oneLine } from '../../text/one-line.ts';
import { fingerprint } from '../editor-context.ts';
import type { LoadedMemory } from '../memory/loaded-memory.ts';
import { memoryBlock } from './system-instruction.ts';

/** What notes have reported to the model so far. */
export interface ToldKnowledge {
  readonly mode?: ApprovalMode;
  /** Fingerprints of instruction files, by their labels. */
  readonly memory: Readonly<Record<string, string>>;
}

export interface Knowledge {
  /** Undefined if the mode need not be reported. */
  readonly mode: ApprovalMode | undefined;
  /** The instruction files of folders that tools accessed; undefined if they are not known yet. */
  readonly memory: readonly LoadedMemory[] | undefined;
}

/**
 * The news since the last note. They are a message instead of a part of the instruction, because a change of the
 * instruction makes the service read the whole conversation anew.
 */
export function knowledgeNote(
  { mode, memory }: Knowledge,
  told: ToldKnowledge,
): { readonly text: string; readonly told: ToldKnowledge } | undefined {
  const prints = memory && Object.fromEntries(memory.map((file) => [file.label, printOf(file)]));
  const changed = memory?.filter((file) => printIn(told, file.label) !== printOf(file)) ?? [];
  const gone = Object.keys(told.memory).filter((label) => prints && !Object.hasOwn(prints, label));
  // Until the first note about the mode, every call that needs approval asks for it, as the instruction says.
  const isNewMode = mode !== undefined && (told.mode === undefined ? mode === 'yolo' : mode !== told.mode);
  if (!isNewMode && changed.length === 0 && gone.length === 0) return undefined;
  const text = [
    ...(isNewMode ? [MODES[mode]] : []),
    ...(changed.length > 0 ? [foundText(changed, told)] : []),
    ...gone.map((label) => `[The instructions in ${oneLine(label, 200)} no longer apply.]`),
  ].join('\n\n');
  const now = isNewMode ? mode : told.mode;
  return { text, told: { ...(now !== undefined && { mode: now }), memory: prints ?? told.memory } };
}

const MODES: Readonly<Record<ApprovalMode, string>> = {
  yolo: `[The approval mode is now yolo: calls run without asking the user. Interrupt them only for decisions that are truly
theirs, and be especially careful with what cannot be undone.]`,
  autoEdit: '[The approval mode is now autoEdit: edits are applied at once, and the user is asked about other calls.]',
  default: '[The approval mode is now default: the user is asked before edits are applied and commands run.]',
  plan: '[The approval mode is now plan: your instruction says what that means.]',
};

function foundText(files: readonly LoadedMemory[], told: ToldKnowledge): string {
  const isUpdate = files.some(({ label }) => printIn(told, label) !== undefined);
  const update = isUpdate ? ' They replace earlier versions of the same files.' : '';
  return `[These instructions apply to the folders that they are in. Follow them like those in your instruction.${update}]

${files.map(memoryBlock).join('\n\n')}`;
}

function printIn({ memory }: ToldKnowledge, label: string): string | undefined {
  return Object.hasOwn(memory, label) ? memory[label] : undefined;
}

function printOf(file: LoadedMemory): string {
  const known = PRINTS.get(file) ?? fingerprint(file.text);
  PRINTS.set(file, known);
  return known;
}

const PRINTS = new WeakMap<LoadedMemory, string>();
