import { writeFile } from 'node:fs/promises';
import type { ToolContext } from '../../extension/ports/tool.ts';
import type { EditWorkspace } from './edit-workspace.ts';

/** One way to fail. The changes of the context are made when the call starts. */
export interface ErrorCase {
  readonly when: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly context?: (files: EditWorkspace) => Partial<ToolContext>;
  readonly setUp?: (files: EditWorkspace) => Promise<unknown>;
  /** Computed before the approval, as for a call that a person approved. */
  readonly isProposed?: boolean;
}

const stopped = (): Partial<ToolContext> => ({ signal: AbortSignal.abort() });
export const TAX = `export function tax(net: number, rate: number): number {
  const raw = net * rate;
  return Math.round(raw);
}

export function gross(net: number, rate: number): number {
  const added = tax(net, rate);
  return net + added;
}
`;
const call = (old_string: string, new_string: string, file_path = 'src/tax.ts') => ({
  file_path,
  instruction: 'Round up',
  old_string,
  new_string,
});
const wrong = call('  const raw = net * rate * 2;\n  return Math.floor(raw);', '  return Math.ceil(net * rate);');
const planning = (plansFolder: string | undefined, mode: 'plan' | 'default' = 'plan'): Partial<ToolContext> => ({
  session: { mode: () => mode, setMode: () => undefined, plansFolder },
  ask: () => Promise.reject(new Error('Nobody asks here.')),
});
const at = { file_path: 'src/tax.ts', line: 1, symbol: 'tax' };
const badPlaces: readonly ErrorCase[] = [
  { when: 'the file has another name', args: { ...at, file_path: 'src/taks.ts' } },
  { when: 'the path is a folder', args: { ...at, file_path: 'src' } },
  { when: 'the path leads outside', args: { ...at, file_path: '../tax.ts' } },
  { when: 'the file is hidden', args: { ...at, file_path: 'ignored.txt' } },
  { when: 'the line does not exist', args: { ...at, line: 900 } },
  { when: 'the symbol is on another line', args: { ...at, symbol: 'gross' } },
  { when: 'the symbol is nowhere', args: { ...at, symbol: 'netto' } },
  { when: 'the line is shorter', args: { file_path: 'src/tax.ts', line: 1, column: 400 } },
  { when: 'neither symbol nor column is given', args: { file_path: 'src/tax.ts', line: 1 } },
  { when: 'the file is binary', args: { ...at, file_path: 'logo.bin' } },
  { when: 'the user stops it', args: at, context: stopped },
];

/** By the name of the tool. */
export const ERROR_CASES: Readonly<Record<string, readonly ErrorCase[]>> = {
  read_file: [
    { when: 'a name is misspelled', args: { file_path: 'src/taks.ts' } },
    { when: 'a folder is misspelled', args: { file_path: 'scr/tax.ts' } },
    { when: 'the case is wrong, and a letter', args: { file_path: 'reedme.md' } },
    { when: 'the file is in another folder', args: { file_path: 'tax.ts' } },
    { when: 'nothing is like it', args: { file_path: 'docs/architecture.md' } },
    { when: 'only a secret is like it', args: { file_path: '.evn' } },
    { when: 'only an ignored file is like it', args: { file_path: 'ignore.txt' } },
    { when: 'the path is a folder', args: { file_path: 'src' } },
    { when: 'the path leads outside', args: { file_path: '../secret.txt' } },
    { when: 'the path is empty', args: { file_path: ' ' } },
    { when: 'the file is ignored', args: { file_path: 'ignored.txt' } },
    { when: 'the file may hold secrets', args: { file_path: '.env' } },
    { when: "the file is Git's", args: { file_path: '.git/config' } },
    { when: 'the file is too large', args: { file_path: 'large.txt' } },
    { when: 'the start is past the end', args: { file_path: 'src/tax.ts', start_line: 900 } },
    { when: 'the end is before the start', args: { file_path: 'src/tax.ts', start_line: 5, end_line: 2 } },
    { when: 'a parameter has another name', args: { path: 'src/tax.ts' } },
    { when: 'no folder is open', args: { file_path: 'src/tax.ts' }, context: () => ({ workspace: NO_FOLDER }) },
    { when: 'the user stops it', args: { file_path: 'src/tax.ts' }, context: stopped },
  ],
  read_many_files: [
    { when: 'nothing is included', args: { include: [] } },
    { when: 'the user stops it', args: { include: ['src'] }, context: stopped },
    {
      when: 'the search fails',
      args: { include: ['src/tax.ts'] },
      context: () => ({ isNamedByUser: fails, workspace: { roots: fails, isTrusted: () => true } }),
    },
  ],
  list_directory: [
    { when: 'a name is misspelled', args: { dir_path: 'scr' } },
    { when: 'nothing is like it', args: { dir_path: 'packages/web' } },
    { when: 'the path is a file', args: { dir_path: 'src/tax.ts' } },
    { when: 'the path leads outside', args: { dir_path: '..' } },
    { when: 'the folder is ignored', args: { dir_path: 'hidden' } },
    { when: "the folder is Git's", args: { dir_path: '.git' } },
    { when: 'the user stops it', args: { dir_path: 'src' }, context: stopped },
  ],
  glob: [
    { when: 'the folder is misspelled', args: { pattern: '*.ts', dir_path: 'scr' } },
    { when: 'the folder is a file', args: { pattern: '*.ts', dir_path: 'src/tax.ts' } },
    { when: 'the pattern leads outside', args: { pattern: '../*.ts' } },
    { when: 'the pattern is invalid', args: { pattern: 'src/[' } },
    { when: 'the user stops it', args: { pattern: '*.ts' }, context: stopped },
    { when: 'the open folder is gone', args: { pattern: '*.ts' }, context: () => ({ workspace: GONE_FOLDER }) },
    { when: 'the path is a device', args: { pattern: '*.ts', dir_path: 'pipe' } },
  ],
  grep_search: [
    { when: 'the folder is misspelled', args: { pattern: 'tax', dir_path: 'scr' } },
    { when: 'the expression is invalid', args: { pattern: 'tax(' } },
    { when: 'the expression looks around', args: { pattern: '(?<=a)tax' } },
    { when: 'the excluding expression is invalid', args: { pattern: 'tax', exclude_pattern: '(' } },
    { when: 'the file may hold secrets', args: { pattern: 'KEY', dir_path: '.env' } },
    { when: 'the folder is ignored', args: { pattern: 'tax', dir_path: 'hidden' } },
    { when: 'the user stops it', args: { pattern: 'tax' }, context: stopped },
  ],
  write_file: [
    { when: 'the content is the same', args: { file_path: 'src/tax.ts', content: TAX } },
    {
      when: 'something is left out',
      args: { file_path: 'src/tax.ts', content: `${TAX}// ... rest of the code ...\n` },
    },
    { when: 'the path is a folder', args: { file_path: 'src', content: 'x' } },
    { when: 'a file is in the place of a folder', args: { file_path: 'README.md/x.md', content: 'x' } },
    { when: 'the path leads outside', args: { file_path: '../x.md', content: 'x' } },
    { when: 'the file is ignored', args: { file_path: 'ignored.txt', content: 'x' } },
    { when: 'the file is binary', args: { file_path: 'logo.bin', content: 'x' } },
    { when: 'the encoding is unknown', args: { file_path: 'latin.txt', content: 'x' } },
    { when: 'the file is too large', args: { file_path: 'large.txt', content: 'x' } },
    {
      when: 'the disk is full',
      args: { file_path: 'new.txt', content: 'x' },
      context: () => ({ writeFile: () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })) }),
    },
    {
      when: 'the file changed after the approval',
      args: { file_path: 'README.md', content: 'x' },
      isProposed: true,
      setUp: (files) => writeFile(files.at('README.md'), '# Changed\n'),
    },
    { when: 'the user stops it', args: { file_path: 'README.md', content: 'y' }, context: stopped },
  ],
  replace: [
    { when: 'the text is not found', args: wrong },
    { when: 'it fails again', args: wrong },
    { when: 'it fails a third time', args: wrong },
    { when: 'nothing is like the text', args: call('class Invoice {}', 'class Bill {}', 'README.md') },
    {
      when: 'the replacement is there already',
      args: call('  return Math.floor(raw);', '  return net + added;', 'src/other.ts'),
    },
    { when: 'the text is found often', args: call('number', 'bigint', 'src/other.ts') },
    { when: 'both texts are the same', args: call('# Read me', '# Read me', 'README.md') },
    { when: 'the replacement changes nothing', args: call('#  Read me', '# Read me', 'README.md') },
    { when: 'something is left out', args: call('# Read me', '// ... rest of the code ...', 'README.md') },
    { when: 'the new file exists', args: call('', 'x', 'README.md') },
    { when: 'the file has another name', args: call('a', 'b', 'src/taks.ts') },
    { when: 'nothing is like the file', args: call('a', 'b', 'docs/architecture.md') },
    { when: 'the path leads outside', args: call('a', 'b', '../x.ts') },
    { when: 'the file is binary', args: call('a', 'b', 'logo.bin') },
    { when: 'a parameter is missing', args: { file_path: 'src/tax.ts', old_string: 'a' } },
  ],
  run_shell_command: [
    { when: 'the command is empty', args: { command: ' ' } },
    { when: 'the folder is misspelled', args: { command: 'ls', dir_path: 'scr' } },
    { when: 'the folder is a file', args: { command: 'ls', dir_path: 'README.md' } },
    { when: 'the folder is outside', args: { command: 'ls', dir_path: '..' } },
    { when: 'the user stops it', args: { command: 'ls' }, context: stopped },
    {
      when: 'the folder changed after the approval',
      args: { command: 'ls' },
      context: () => ({
        approved: {
          proposal: { kind: 'details', details: { type: 'exec', command: 'ls', folder: '/elsewhere' } },
          answer: { decision: 'once' },
        },
      }),
    },
    { when: 'the sandbox is off by now', args: { command: 'ls' }, context: () => ({ onlyConfined: true }) },
  ],
  read_background_output: [{ when: 'the process is unknown', args: { pid: 999_999 } }],
  stop_background_process: [{ when: 'the process is unknown', args: { pid: 999_999 } }],
  web_fetch: [
    { when: 'there is no URL', args: { prompt: 'Summarize the page' } },
    { when: 'both are given', args: { prompt: 'https://example.com', url: 'https://example.com' } },
    { when: 'the address is private', args: { url: 'http://localhost:3000/' } },
    { when: 'it is a file', args: { url: 'file:///etc/passwd' } },
    { when: 'it is no URL', args: { url: 'example' } },
    { when: 'it is too long', args: { url: `https://example.com/${'x'.repeat(9000)}` } },
    {
      when: 'there are too many',
      args: { prompt: Array.from({ length: 21 }, (_, n) => `https://example.com/${n}`).join(' ') },
    },
    { when: 'the user stops it', args: { url: 'https://example.com/' }, context: stopped },
  ],
  google_web_search: [
    { when: 'the query is empty', args: { query: ' ' } },
    { when: 'the model fails', args: { query: 'weather' } },
    { when: 'the user stops it', args: { query: 'weather' }, context: stopped },
  ],
  invoke_agent: [
    { when: 'there is no such agent', args: { agent_name: 'code_investigator', prompt: 'Find it' } },
    { when: 'the prompt is empty', args: { agent_name: 'generalist', prompt: ' ' } },
  ],
  write_todos: [
    {
      when: 'two steps are in progress',
      args: { todos: ['a', 'b'].map((description) => ({ description, status: 'in_progress' })) },
    },
    { when: 'the status is unknown', args: { todos: [{ description: 'a', status: 'done' }] } },
  ],
  ask_user: [
    { when: 'a choice has no options', args: { questions: [{ question: 'Which?', header: 'Which', type: 'choice' }] } },
    {
      when: 'two options are the same',
      args: {
        questions: [
          {
            question: 'Which?',
            header: 'Which',
            type: 'choice',
            options: ['A', 'A'].map((label) => ({ label, description: 'It' })),
          },
        ],
      },
    },
  ],
  save_memory: [
    { when: 'it is there already', args: { fact: 'Use tabs.' } },
    { when: 'it is empty', args: { fact: ' ' } },
  ],
  enter_plan_mode: [
    { when: 'there is no folder for plans', args: {}, context: () => planning(undefined, 'default') },
    { when: 'it is on', args: {}, context: (files) => planning(files.at('plans')) },
    {
      when: 'nobody can approve a plan',
      args: {},
      context: (files) => ({
        session: { mode: () => 'default', setMode: () => undefined, plansFolder: files.at('plans') },
      }),
    },
    {
      when: 'the folder cannot be made',
      args: {},
      context: (files) => planning(files.at('README.md/plans'), 'default'),
    },
  ],
  exit_plan_mode: [
    {
      when: 'it is not on',
      args: { plan_filename: 'a.md' },
      context: (files) => planning(files.at('plans'), 'default'),
    },
    { when: 'there is no such plan', args: { plan_filename: 'a.md' }, context: (files) => planning(files.at('plans')) },
    {
      when: 'it is elsewhere',
      args: { plan_filename: '../README.md' },
      context: (files) => planning(files.at('plans')),
    },
    {
      when: 'it is not Markdown',
      args: { plan_filename: 'plan.txt' },
      context: (files) => planning(files.at('plans')),
    },
    { when: 'it is empty', args: { plan_filename: 'empty.md' }, context: (files) => planning(files.at('plans')) },
    { when: 'it is too large', args: { plan_filename: 'large.md' }, context: (files) => planning(files.at('plans')) },
    { when: 'its name is broken', args: { plan_filename: 'a\0.md' }, context: (files) => planning(files.at('plans')) },
  ],
  activate_skill: [
    { when: 'there is no such skill', args: { name: 'spreadsheet' } },
    { when: 'it cannot be read', args: { name: 'broken' } },
    { when: 'it changes while the user is asked', args: { name: 'changing' }, isProposed: true },
  ],
  find_symbol: [
    { when: 'the query is empty', args: { query: '' } },
    { when: 'the file has another name', args: { query: 'tax', file_path: 'src/taks.ts' } },
    { when: 'the editor fails', args: { query: 'fail' } },
  ],
  get_diagnostics: [{ when: 'the file has another name', args: { file_path: 'src/taks.ts' } }],
  go_to_definition: badPlaces,
  find_references: badPlaces,
  rename_symbol: [
    { when: 'the editor cannot', args: { ...at, new_name: 'duty' } },
    { when: 'the name has no letters', args: { ...at, new_name: ' ' } },
    { when: 'a file outside would change', args: { ...at, new_name: 'outside' } },
    { when: 'a hidden file would change', args: { ...at, new_name: 'hidden' } },
    { when: 'nothing would change', args: { ...at, new_name: 'same' } },
    { when: 'a file would change twice', args: { ...at, new_name: 'twice' } },
    { when: 'the file changes meanwhile', args: { ...at, new_name: 'stale' } },
    {
      when: 'a file cannot be written',
      args: { ...at, new_name: 'levy' },
      context: () => ({ writeFile: () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })) }),
    },
  ],
  complete_task: [{ when: 'the result is empty', args: { result: ' ' } }],
};

const GONE_FOLDER = { roots: () => ['/nowhere/at-all'], isTrusted: () => true };
const NO_FOLDER = { roots: () => [], isTrusted: () => true };

export function fails(): never {
  throw new Error('It broke.');
}
