import * as l10n from '@vscode/l10n';

/** What a link may bring: words for the input, and files of the workspace. Nothing is sent. */
export interface PromptLink {
  readonly prompt: string;
  /** As they stand in the link; the workspace decides what they are. */
  readonly files: readonly string[];
  /** What was taken out of the prompt or omitted, for people. */
  readonly notes: readonly string[];
}

const MAX_PROMPT = 4000;
/** In the input these make a command of the words, and it would run without a question. */
const RUNS = /^[!\s]+/;
const MAX_FILES = 5;
const MAX_FILE_LENGTH = 500;

/** `vscode://gantry.gantry/new?prompt=…&file=…`. Undefined for every other link. */
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

/** Words from outside as they may stand in the input: all of them seen, and none of them run. */
export function inputWords(given: string): string {
  return [...withoutHidden(given).trim().replace(RUNS, '')].slice(0, MAX_PROMPT).join('');
}

interface Parameter {
  readonly name: string;
  readonly value: string;
}

/**
 * VS Code hands queries over decoded, so that an `&` of the text looks like the next parameter. What is none that we know
 * is therefore text: the user reads it in the input, and nothing else comes of it.
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

/** Controls, marks that turn the direction of text, tags, fillers, variation selectors: all that a reader does not see. */
function withoutHidden(text: string): string {
  return text.replace(/(?![\n\t])[\p{C}\p{DI}\p{Zl}\p{Zp}]/gu, '');
}
