import * as l10n from '@vscode/l10n';
import { Commands } from '../names.ts';

/** A kind of file that people write to configure the agent. */
export interface NewFileKind {
  /** What is asked for, as the title of the questions. */
  readonly title: string;
  readonly placeholder: string;
  /** The path of the file below `.gemini`. Undefined if this is no name. */
  pathOf(name: string): readonly string[] | undefined;
  /** What makes a name. */
  readonly rule: string;
  /** The text with places to fill in, in the syntax of VS Code's snippets. */
  snippet(name: string): string;
}

/** By the command that begins it. */
export const newFileKinds = {
  [Commands.newAgent]: (): NewFileKind => ({
    title: l10n.t('New Agent'),
    placeholder: 'reviewer',
    rule: l10n.t('A name consists of lowercase letters, digits, "-" and "_", and doesn\'t begin with "_".'),
    pathOf: (name) => (isPlainName(name) ? ['agents', `${name}.md`] : undefined),
    snippet: (name) =>
      [
        '---',
        `name: ${name}`,
        `description: ${place(1, l10n.t('Reviews a change for mistakes and reports them by file and line.'))}`,
        `tools: [${place(2, 'read_file, grep_search, glob')}]`,
        '---',
        place(3, l10n.t('You review changes. Report each mistake with its file and line, and how to fix it.')),
        '$0',
      ].join('\n'),
  }),
  [Commands.newSkill]: (): NewFileKind => ({
    title: l10n.t('New Skill'),
    placeholder: 'release-notes',
    rule: l10n.t('A name consists of lowercase letters, digits, "-" and "_", and doesn\'t begin with "_".'),
    pathOf: (name) => (isPlainName(name) ? ['skills', name, 'SKILL.md'] : undefined),
    snippet: (name) =>
      [
        '---',
        `name: ${name}`,
        `description: ${place(1, l10n.t('Writes release notes. Use it when a version is released.'))}`,
        '---',
        place(2, l10n.t('Read the commits since the last tag. Write one line for each change that users notice.')),
        '$0',
      ].join('\n'),
  }),
  [Commands.newCommand]: (): NewFileKind => ({
    title: l10n.t('New Command'),
    placeholder: 'git/commit',
    rule: l10n.t('A name consists of letters, digits, ".", "-" and "_". A "/" or ":" makes a group, as in git/commit.'),
    pathOf: commandPath,
    snippet: () =>
      [
        `description = "${place(1, l10n.t('Writes a commit message'))}"`,
        'prompt = """',
        place(2, l10n.t('Write a commit message about {0} for these changes:', '{{args}}')),
        place(3, '!{git diff --staged}'),
        '"""',
        '$0',
      ].join('\n'),
  }),
} as const;

/** One of the choices is selected from a list. */
export function choice(at: number, options: readonly string[]): string {
  return `\${${at}|${options.map((option) => option.replace(/[\\,|]/g, '\\$&')).join(',')}|}`;
}

/** A place to fill in, with what is there until then. */
export function place(at: number, text: string): string {
  return `\${${at}:${literal(text)}}`;
}

/** Text that a snippet inserts as it is. */
export function literal(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

function isPlainName(name: string): boolean {
  return /^[a-z0-9-][a-z0-9_-]{0,99}$/.test(name);
}

/** As users type it: `/git:commit` and `git/commit` are the same command. */
function commandPath(name: string): readonly string[] | undefined {
  const parts = name.replace(/^\//, '').split(/[/:]/);
  // Longer ones are cut, and other characters replaced, where the command is shown.
  if (parts.length > MAX_DEPTH || !parts.every((part) => /^[\w-][\w.-]{0,49}$/.test(part))) return undefined;
  return ['commands', ...parts.slice(0, -1), `${parts.at(-1)}.toml`];
}

/** More levels than people can type. */
const MAX_DEPTH = 8;
