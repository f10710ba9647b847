import type { FunctionCall, Part } from '@google/genai';
import * as l10n from '@vscode/l10n';

/** What a call is about, for people: the file it names, else the tool. */
export function nameOfCall({ name = 'a tool', args = {} }: FunctionCall): string {
  const path = PATHS.map((key) => args[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof path === 'string' ? short(path) : l10n.t('the result of {0}', short(name));
}

const PATHS = ['file_path', 'absolute_path', 'path', 'dir_path'] as const;
const LONGEST = 80;

/** Where something was found in a part that is no text. */
export function placeOf({ functionCall, functionResponse }: Part, calls: ReadonlyMap<string, string>): string {
  if (functionCall) return l10n.t('a call of the model');
  if (!functionResponse) return l10n.t('an attachment');
  const { id = '', name = 'a tool' } = functionResponse;
  return calls.get(id) ?? l10n.t('the result of {0}', short(name));
}

/** In one line: it stands in a sentence. */
function short(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ');
  return line.length <= LONGEST ? line : `…${line.slice(1 - LONGEST)}`;
}
