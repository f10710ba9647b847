import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import type { TextEdit } from 'vscode-languageserver-types';
import { applyReplacements, formatToml } from '../../text/toml-format.ts';
import type { ConfigDocument } from '../config-document.ts';
import { isTooLong } from './policy-syntax.ts';

/** People write regular expressions in single quotes, so that backslashes stay single. */
const PATTERNS: ReadonlySet<string> = new Set(['argsPattern', 'commandRegex']);

/** Formats a policy file. It means the same afterwards, and its comments stay. */
export function formatPolicy(file: ConfigDocument): readonly TextEdit[] {
  if (isTooLong(file)) return [];
  const replacements = formatToml(file.text, (key) => PATTERNS.has(key));
  // A mistake here would change what may run.
  if (!isSame(file.text, applyReplacements(file.text, replacements))) return [];
  return replacements.map(({ text, ...span }) => ({ range: file.rangeOf(span), newText: text }));
}

function isSame(before: string, after: string): boolean {
  const [read, formatted] = [parsed(before), parsed(after)];
  return isDeepStrictEqual(read, formatted);
}

/** Undefined if it is no TOML. */
function parsed(text: string): unknown {
  try {
    return parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
