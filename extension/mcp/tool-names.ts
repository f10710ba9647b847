import { createHash } from 'node:crypto';
import { qualifiedName } from '../policy/rules/known-tools.ts';

export interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

/** Gemini accepts 64 characters. Gemini CLI, whose rules also apply here, cuts names of 64 characters or more. */
const MAX_NAME = 63;
const KEPT_END = 30;
const HASH_CHARS = 8;

/**
 * The name of each tool for the model, in the same order. If two tools would have the same name, both get another one,
 * so that a call or rule for one of them never applies to the other.
 */
export function toolNames(tools: readonly NamedTool[]): readonly string[] {
  const plain = tools.map(plainName);
  const counts = new Map<string, number>();
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  return tools.map((tool, index) => {
    const name = plain[index] ?? '';
    return counts.get(name) === 1 ? name : `${name.slice(0, MAX_NAME - HASH_CHARS - 1)}_${hashOf(tool)}`;
  });
}

/** A server's name as it appears in the names of its tools. */
export function inToolNames(name: string): string {
  return name.replace(/[^\w.:-]/g, '_');
}

function plainName({ server, tool }: NamedTool): string {
  const name = inToolNames(qualifiedName(server, tool));
  return name.length <= MAX_NAME ? name : `${name.slice(0, KEPT_END)}...${name.slice(-KEPT_END)}`;
}

function hashOf({ server, tool }: NamedTool): string {
  return createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, HASH_CHARS);
}
