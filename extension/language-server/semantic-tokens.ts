import type { SemanticTokens, SemanticTokensLegend } from 'vscode-languageserver';
import type { Span } from '../text/text-range.ts';
import type { ConfigDocument } from './config-document.ts';

const TYPES = [
  'class',
  'property',
  'string',
  'number',
  'keyword',
  'enumMember',
  'regexp',
  'function',
  'namespace',
  'comment',
] as const;

export const tokenLegend: SemanticTokensLegend = { tokenTypes: [...TYPES], tokenModifiers: [] };

export interface SemanticToken extends Span {
  readonly type: (typeof TYPES)[number];
}

/** Encodes tokens as the protocol wants them: each relative to the one before it, and none across lines. */
export function encodeTokens(file: ConfigDocument, tokens: readonly SemanticToken[]): SemanticTokens {
  const data: number[] = [];
  let [lastLine, lastCharacter] = [0, 0];
  const sorted = [...tokens].sort((a, b) => a.start - b.start).flatMap((token) => inLines(token, file.text));
  for (const { type, start, end } of sorted) {
    if (start === end) continue;
    const { line, character } = file.positionAt(start);
    const isSameLine = line === lastLine;
    data.push(line - lastLine, character - (isSameLine ? lastCharacter : 0), end - start, TYPES.indexOf(type), 0);
    [lastLine, lastCharacter] = [line, character];
  }
  return { data };
}

/** A token for each line of a token. */
function inLines(token: SemanticToken, text: string): readonly SemanticToken[] {
  const source = text.slice(token.start, token.end);
  if (!source.includes('\n')) return [token];
  return [...source.matchAll(/[^\r\n]+/g)].map(({ index, 0: line }) => {
    const start = token.start + index;
    return { ...token, start, end: start + line.length };
  });
}
