import * as l10n from '@vscode/l10n';

/** The contents of a link: text for the input, and files of the workspace. Nothing is sent. */
export interface PromptLink {
  readonly prompt: string;
  /** Paths as written in the link. They are resolved and checked against the workspace later. */
  readonly files: readonly string[];
  /** Messages for the user about text or files that were removed. */
  readonly notes: readonly string[];
}

const MAX_PROMPT = 4000;
/** In the input, a leading `!` makes a shell command of the text, and it would run without asking. */
const RUNS = /^[!\s]+/;
const MAX_FILES = 5;
const MAX_FILE_LENGTH = 500;

/** Parses `vscode://gantry.gantry/new?prompt=…&file=…`. Returns undefined for every other link. */
export function parsePromptLink(uri: { readonly path: string; readonly query: string }): PromptLink | undefined {
  if (uri.path !== '/new') return undefined;
  const parameters = parametersOf(uri.query);
  const given = valuesOf(parameters, 'prompt').join('\n').replace(/\r\n?/g, '\n');
  const named = valuesOf(parameters, 'file').filter((file) => file !== '');
  const files = named.filter(isPlainPath).slice(0, MAX_FILES);
  const words = withoutHidden(given).trim();
  const visible = words.replace(RUNS, '');
  const prompt = inputWords(given);
  if (prompt === '' && files.length === 0) return undefined;
  const hidden = [...given].length - [...withoutHidden(given)].length;
  const notes = [
    ...(hidden > 0 ? [hiddenText(hidden)] : []),
    ...(visible.length < words.length
      ? [l10n.t('An exclamation mark at the beginning was removed, so nothing runs.')]
      : []),
    ...(prompt.length < visible.length ? [l10n.t('Only the first {0} characters were used.', MAX_PROMPT)] : []),
    ...(files.length < named.length ? [l10n.t('Some of its files were ignored.')] : []),
  ];
  return { prompt, files, notes };
}

function hiddenText(count: number): string {
  return count === 1
    ? l10n.t('1 invisible character was removed.')
    : l10n.t('{0} invisible characters were removed.', count);
}

/** Cleans external text for the input: nothing in it is hidden, and it cannot run as a command. */
export function inputWords(given: string): string {
  return [...withoutHidden(given).trim().replace(RUNS, '')].slice(0, MAX_PROMPT).join('');
}

interface Parameter {
  readonly name: string;
  readonly value: string;
}

/**
 * VS Code passes queries decoded, so an `&` in the text looks like the start of the next parameter. Unknown parameters
 * are therefore treated as text: the user sees them in the input, and they have no other effect.
 */
function parametersOf(query: string): readonly Parameter[] {
  const parameters: Parameter[] = [];
  for (const piece of query.split('&')) {
    const [, name, value = ''] = /^(prompt|file)=([\s\S]*)$/.exec(piece) ?? [];
    const last = parameters.at(-1);
    if (name !== undefined) parameters.push({ name, value });
    else if (last) parameters.splice(-1, 1, { name: last.name, value: `${last.value}&${piece}` });
  }
  return parameters;
}

function valuesOf(parameters: readonly Parameter[], wanted: string): readonly string[] {
  return parameters.filter(({ name }) => name === wanted).map(({ value }) => value);
}

function isPlainPath(file: string): boolean {
  return file.length <= MAX_FILE_LENGTH && withoutHidden(file) === file && !/[\r\n\t]/.test(file);
}

/** Removes characters that a reader cannot see: controls, direction marks, tags, fillers and variation selectors. */
function withoutHidden(text: string): string {
  return text.replace(/(?![\n\t])[\p{C}\p{DI}\p{Zl}\p{Zp}]/gu, '');
}
