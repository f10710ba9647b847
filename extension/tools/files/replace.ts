import * as z from 'zod';
import { once } from '../../base/once.ts';
import { withLf, withSystemLineEnds } from '../../files/line-ends.ts';
import type { EditorPort } from '../../ports/editor.ts';
import { type Tool, type ToolContext, type ToolErrorType, toolError } from '../../ports/tool.ts';
import { unverifiedPathLabel } from '../path-label.ts';
import { type Computed, type EditKind, editActions } from './edit-tool.ts';
import { omissionPlaceholders, placeholderMessage } from './omission-placeholders.ts';
import { closestRegion } from './replace/closest-region.ts';
import { FailedEdits } from './replace/failed-edits.ts';
import { type LineSpan, type ReplaceOutcome, replaceText } from './replace/replace-text.ts';
import text from './replace.md';
import { missingFile } from './similar-paths.ts';
import type { ToolPath } from './tool-path.ts';

const DISPLAY_NAME = 'Edit';
const MAX_LISTED_LINES = 20;
/** A shorter text may be in the file for another reason. */
const MIN_KNOWN_CHARS = 10;

const replaceSchema = once(() =>
  z.strictObject({
    file_path: z.string().min(1).describe('Path of the file to change, relative to the workspace folder or absolute.'),
    instruction: z
      .string()
      .describe('What the change is for, in one sentence that the user understands without the conversation.'),
    old_string: z
      .string()
      .describe(
        'The text to replace, exactly as it is in the file, with as many lines as it takes to occur only once. ' +
          'An empty string creates a new file.',
      ),
    new_string: z.string().describe('The text to put in its place, complete and literal.'),
    allow_multiple: z
      .boolean()
      .optional()
      .describe('Replace every occurrence of old_string. Default: false, and old_string must occur exactly once.'),
  }),
);

type Arguments = z.infer<ReturnType<typeof replaceSchema>>;

export function createReplaceTool({
  editor,
}: {
  readonly editor?: EditorPort;
} = {}): Tool<ReturnType<typeof replaceSchema>> {
  const failures = new FailedEdits();
  const kind: EditKind<Arguments> = {
    displayName: DISPLAY_NAME,
    mayRecompute,
    compute: async (args, target, before, context) => {
      const computed = await compute(args, target, before, context);
      const { path } = target.guarded;
      if (!computed.ok)
        return { ok: false, failed: failures.explained(path, target.label, context.callId, computed.failed) };
      failures.matched(path);
      return computed;
    },
  };
  return {
    name: 'replace',
    displayName: DISPLAY_NAME,
    kind: 'edit',
    description: text.trim(),
    get schema() {
      return replaceSchema();
    },
    describe: (args, workspace) => unverifiedPathLabel(args['file_path'], workspace.roots()),
    ...editActions(kind, editor),
  };
}

async function compute(
  args: Arguments,
  target: ToolPath,
  before: string | null,
  context: ToolContext,
): Promise<Computed> {
  const { old_string, new_string } = args;
  const { label } = target;
  const known = `${withLf(old_string)}\n${withLf(before ?? '')}`;
  const placeholders = omissionPlaceholders(new_string).filter((line) => !known.includes(line));
  if (placeholders.length > 0) return failed('invalid_tool_params', placeholderMessage(placeholders, 'new_string'));
  if (old_string === '') return create(new_string, label, before);
  if (before === null)
    return { ok: false, failed: await missingFile(target, context, 'To create it, leave old_string empty.') };
  if (old_string === new_string) {
    return failed(
      'edit_no_change',
      `old_string and new_string are the same, so ${label} was not changed. Give the changed text as new_string.`,
    );
  }
  const outcome = replaceText(before, replacementOf(args));
  if (outcome.kind !== 'replaced') return failed(...missMessage(outcome, before, args, label));
  return { ok: true, after: outcome.after, done: doneMessage(outcome, label) };
}

/** In a text that changed in the meantime, an edit must match as often as in the approved text. */
function mayRecompute(args: Arguments, approvedFor: string | null, now: string | null): boolean {
  if (approvedFor === null || now === null) return false;
  const [then, today] = [approvedFor, now].map((text) => replaceText(text, replacementOf(args)));
  return then?.kind === 'replaced' && today?.kind === 'replaced' && then.places.length === today.places.length;
}

function replacementOf(args: Arguments): Parameters<typeof replaceText>[1] {
  const { old_string: wanted, new_string: replacement, allow_multiple: allowMultiple = false } = args;
  return { wanted, replacement, allowMultiple };
}

function create(text: string, label: string, before: string | null): Computed {
  if (before === null) return { ok: true, after: withSystemLineEnds(text), done: `Created ${label}.` };
  const message = `${label} exists already, so it was not created. Read it, and give the text to replace as old_string.`;
  return failed('attempt_to_create_existing_file', message);
}

function doneMessage({ strategy, places }: Extract<ReplaceOutcome, { kind: 'replaced' }>, label: string): string {
  const count = places.length === 1 ? 'one place' : `${places.length} places`;
  const done = `Replaced ${count} in ${label}.`;
  if (strategy !== 'fuzzy') return done;
  return `${done} old_string was not there exactly; the nearest text was taken, at ${spans(places)}. Check the result.`;
}

function missMessage(
  outcome: Exclude<ReplaceOutcome, { kind: 'replaced' }>,
  before: string,
  { old_string, new_string }: Arguments,
  label: string,
): [ToolErrorType, string] {
  if (outcome.kind === 'no_change') {
    return [
      'edit_no_change',
      `The replacement leaves ${label} as it is, so nothing was written. The change is probably done already.`,
    ];
  }
  if (outcome.kind === 'found_often') {
    const message =
      `old_string was found ${outcome.lines.length} times in ${label} (lines ${listed(outcome.lines)}), expected once. ` +
      'Nothing was written. Add lines around it to make it unique, or set allow_multiple to replace all.';
    return ['edit_expected_occurrence_mismatch', message];
  }
  const known = lineOf(before, new_string);
  if (known !== undefined) {
    const message =
      `old_string was not found in ${label}, but new_string is already there, from line ${known}. Nothing was written. ` +
      'The change is probably done already: continue with the next step.';
    return ['edit_no_occurrence_found', message];
  }
  const closest = closestRegion(before, old_string);
  const hint =
    closest === undefined
      ? 'Nothing in the file is like it: read the file again, or find the right file with grep_search.'
      : `The closest text, with "-" for lines of old_string and "+" for lines of the file:\n${closest}`;
  return ['edit_no_occurrence_found', `old_string was not found in ${label}. Nothing was written. ${hint}`];
}

/** The line where a text begins. Undefined if the text is not there, or too short to be recognized. */
function lineOf(text: string, sought: string): number | undefined {
  const trimmed = withLf(sought).trim();
  const plain = withLf(text);
  const index = trimmed.length < MIN_KNOWN_CHARS ? -1 : plain.indexOf(trimmed);
  return index === -1 ? undefined : plain.slice(0, index).split('\n').length;
}

function listed(lines: readonly number[]): string {
  const shown = lines.slice(0, MAX_LISTED_LINES).join(', ');
  return lines.length > MAX_LISTED_LINES ? `${shown}, …` : shown;
}

function spans(places: readonly LineSpan[]): string {
  const texts = places.map(({ first, last }) => (first === last ? `line ${first}` : `lines ${first}-${last}`));
  return texts.slice(0, MAX_LISTED_LINES).join(', ');
}

function failed(type: ToolErrorType, message: string): Computed {
  return { ok: false, failed: toolError(type, message) };
}
