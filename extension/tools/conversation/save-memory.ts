import * as z from 'zod';
import { once } from '../../base/once.ts';
import { type Tool, toolError } from '../../ports/tool.ts';
import { oneLine } from '../../text/one-line.ts';
import { type EditKind, editActions } from '../files/edit-tool.ts';

/** Gantry's heading, or the one of earlier Gemini CLI versions: a file has only one section for memories. */
const HEADING = /^## (?:Gantry|Gemini) Added Memories[ \t]*$/;
const OWN_HEADING = '## Gantry Added Memories';

const NEXT_SECTION = /^#{1,2} /;

/** Adds a fact as the last item of the section for memories. Line ends stay as they are. */
export function withMemory(text: string, fact: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  const heading = lines.findIndex((line) => HEADING.test(line));
  const added = heading === -1 ? withNewSection(lines, fact) : withItem(lines, heading, fact);
  return added.join(eol);
}

function hasMemory(text: string, fact: string): boolean {
  return text.split(/\r?\n/).includes(itemOf(fact));
}

function withNewSection(lines: readonly string[], fact: string): readonly string[] {
  const end = lastFilled(lines, lines.length);
  const before = lines.slice(0, end);
  return [...before, ...(end === 0 ? [] : ['']), OWN_HEADING, '', itemOf(fact), ''];
}

function withItem(lines: readonly string[], heading: number, fact: string): readonly string[] {
  const next = lines.findIndex((line, index) => index > heading && NEXT_SECTION.test(line));
  const end = lastFilled(lines, next === -1 ? lines.length : next);
  const isFirst = end === heading + 1;
  const rest = lines.slice(end);
  return [...lines.slice(0, end), ...(isFirst ? [''] : []), itemOf(fact), ...(rest.length === 0 ? [''] : rest)];
}

/** The index after the last non-blank line before `end`. */
function lastFilled(lines: readonly string[], end: number): number {
  return lines.slice(0, end).findLastIndex((line) => line.trim() !== '') + 1;
}

function itemOf(fact: string): string {
  return `- ${fact}`;
}

const DISPLAY_NAME = 'SaveMemory';
const MAX_FACT_CHARS = 2000;

const memorySchema = once(() =>
  z.object({
    fact: z
      .string()
      .max(MAX_FACT_CHARS)
      .refine((fact) => oneLine(fact, MAX_FACT_CHARS) !== '', { error: 'must not be empty' })
      .describe('What to remember, in one sentence that is clear on its own.'),
    scope: z
      .literal('project')
      .optional()
      .describe('Only "project", the default. What applies to all projects, the user writes to ~/.gemini/GEMINI.md.'),
  }),
);

interface Memory {
  readonly file_path: string;
  readonly fact: string;
}

const adding: EditKind<Memory> = {
  displayName: DISPLAY_NAME,
  compute: ({ fact }, { label }, before) => {
    const line = oneLine(fact, MAX_FACT_CHARS);
    if (hasMemory(before ?? '', line)) {
      return Promise.resolve({ ok: false, failed: toolError('edit_no_change', `${label} says this already.`) });
    }
    return Promise.resolve({ ok: true, after: withMemory(before ?? '', line), done: `Saved to ${label}.` });
  },
  mayRecompute: () => false,
};

/** Memory is an ordinary file that only changes through a diff that the user can see. */
export function createSaveMemoryTool(
  fileName: () => string = () => 'GEMINI.md',
): Tool<ReturnType<typeof memorySchema>> {
  const actions = editActions(adding, undefined);
  const memory = ({ fact }: { readonly fact: string }): Memory => ({ file_path: fileName(), fact });
  return {
    name: 'save_memory',
    mode: 'work',
    displayName: DISPLAY_NAME,
    kind: 'edit',
    description:
      'Adds a fact about this project to its instructions file (GEMINI.md unless it has another name). Use it only if the ' +
      'user asks for it or states a lasting rule of the project. Never save secrets, or what only matters in this conversation.',
    get schema() {
      return memorySchema();
    },
    describe: ({ fact }) => (typeof fact === 'string' ? oneLine(fact, 200) : ''),
    touches: (args) => actions.touches(memory(args)),
    propose: (args, context) => actions.propose(memory(args), context),
    execute: (args, context) => actions.execute(memory(args), context),
  };
}
