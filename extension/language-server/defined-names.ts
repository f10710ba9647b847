import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { onceEach } from '../base/once.ts';
import type { ConfigDocument } from './config-document.ts';
import type { NameUse } from './names.ts';

/** Gemini CLI's key, and VS Code's. */
const KEYS = ['mcpServers', 'servers'];

/** The MCP servers that a JSON file defines. */
export const serverNames = onceEach(({ text }: ConfigDocument): readonly NameUse[] => {
  const root = parseTree(text);
  const servers = KEYS.flatMap((key) => (root && findNodeAtLocation(root, [key])?.children) ?? []);
  return servers.flatMap(({ children: [key] = [] }): NameUse[] => {
    const name: unknown = key?.value;
    if (!key || typeof name !== 'string') return [];
    const [start, end] = [key.offset + 1, key.offset + key.length - 1];
    return text.slice(start, end) === name
      ? [{ kind: 'server', name, isDefinition: true, start, end, write: (other) => JSON.stringify(other).slice(1, -1) }]
      : [];
  });
});
