import { createHash } from 'node:crypto';
import { qualifiedName } from '../policy/rules/known-tools.ts';

export interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

/** Gemini takes 64 characters; Gemini CLI, whose rules are ours, cuts from 64 on. */
const MAX_NAME = 63;
const KEPT_END = 30;
const HASH_CHARS = 8;

/**
 * What the model calls each tool, in the same order. Where two would have the same name, both get another one, so that a call
 * or a rule that meant one of them never reaches the other.
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

/** What is left of a name of a server in those of its tools. */
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
