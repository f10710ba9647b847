import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { EditorPort, EditorProblem } from '../../ports/editor.ts';
import type { Tool, ToolContext } from '../../ports/tool.ts';
import { openDocumentOf } from '../files/open-document.ts';
import { unverifiedPathLabel } from '../path-label.ts';
import { countText } from '../summary-words.ts';
import { byPlace, cut, listByFile } from './listing.ts';
import { asResult, type EditorAnswer } from './refused.ts';
import { requireFile, type WorkspaceFile } from './workspace-file.ts';

const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;
const MAX_MESSAGE_CHARS = 500;
/** The time limit for checking a file that wasn't open. */
const FIRST_LOOK_MS = 3000;

const schema = once(() =>
  z.strictObject({
    file_path: z.string().min(1).optional().describe('Only the problems of this file. Default: all files.'),
    severity: z.enum(SEVERITIES).optional().describe('Only problems that are at least this severe. Default: hint.'),
  }),
);

type Arguments = z.infer<ReturnType<typeof schema>>;

export function createGetDiagnosticsTool(editor: EditorPort): Tool<ReturnType<typeof schema>> {
  const displayName = 'Diagnostics';
  const describe: Tool['describe'] = (args, workspace) =>
    args['file_path'] === undefined ? 'all files' : unverifiedPathLabel(args['file_path'], workspace.roots());
  return {
    name: 'get_diagnostics',
    displayName,
    kind: 'read',
    description:
      'Returns the errors and warnings that the editor shows for one file or the workspace, from compilers, type checkers ' +
      'and linters, the most severe first. Use it after a group of edits. It does not replace the tests or the build of the ' +
      'project: without file_path it covers only files that the editor has already checked.',
    get schema() {
      return schema();
    },
    longOutput: true,
    describe,
    touches: ({ file_path }) => (file_path === undefined ? [] : [{ path: file_path, access: 'read' }]),
    execute: (args, context) =>
      asResult({ name: displayName, description: describe(args, context.workspace) }, context.signal, () =>
        report(editor, args, context),
      ),
  };
}

async function report(editor: EditorPort, args: Arguments, context: ToolContext): Promise<EditorAnswer> {
  const file = args.file_path === undefined ? undefined : await requireFile(args.file_path, context);
  const all = file === undefined ? editor.problems() : await problemsOf(file, editor, context);
  const least = SEVERITIES.indexOf(args.severity ?? 'hint');
  const entries = all
    .filter(({ severity }) => rank(severity) <= least)
    .sort((left, right) => rank(left.severity) - rank(right.severity) || byPlace(left, right))
    .map((problem) => ({ ...problem, note: noteOf(problem) }));
  const advice = 'Ask for one file or a higher severity.';
  const { text, shown } = await listByFile(entries, context, { hidden: 'leave_out', advice });
  const none = `The editor reports no problems.${file && !hasTab(file, editor) ? ` ${unchecked(file)}` : ''}`;
  return { text: shown > 0 ? text : [none, text].join('\n').trim(), summary: countText(shown, 'problem') };
}

async function problemsOf(
  file: WorkspaceFile,
  editor: EditorPort,
  { files, signal }: ToolContext,
): Promise<readonly EditorProblem[]> {
  if (!(await openDocumentOf(file, files))) await editor.problemsAfterChange(file.editorPath, FIRST_LOOK_MS, signal);
  return namesOf(file).flatMap((name) => editor.problems(name));
}

function hasTab(file: WorkspaceFile, editor: EditorPort): boolean {
  return editor.openEditors().some(({ path }) => namesOf(file).includes(path));
}

/** Some languages, such as TypeScript, only check files that have a tab. */
function unchecked({ label }: WorkspaceFile): string {
  return `But ${label} has no tab, and not every language is checked without one: compile or lint to be sure.`;
}

/** The editor may know the file by the path that the user opened or by its real path. */
function namesOf({ editorPath, path }: WorkspaceFile): readonly string[] {
  return [...new Set([editorPath, path])];
}

function noteOf({ severity, message, source, code }: EditorProblem): string {
  const origin = [source, code].filter((part) => part !== undefined).join(' ');
  const text = cut(message.replace(/\s*[\r\n]+\s*/g, ' / '), MAX_MESSAGE_CHARS);
  return `${severity}: ${text}${origin === '' ? '' : ` [${origin}]`}`;
}

function rank(severity: EditorProblem['severity']): number {
  return SEVERITIES.indexOf(severity);
}
