import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { onceEach } from '../base/once.ts';
import { splitFrontMatter } from '../text/front-matter.ts';
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

const NAME = /^((?:-[ \t]+)?name[ \t]*:[ \t]*["']?)([a-z0-9_-]+)["']?[ \t]*(?:#.*)?$/gm;

/** The agents that a Markdown file defines: one, or a list of remote ones. */
export const agentNames = onceEach(({ text }: ConfigDocument): readonly NameUse[] => {
  const header = splitFrontMatter(text)?.header;
  if (header === undefined) return [];
  const offset = text.indexOf(header);
  return [...header.matchAll(NAME)].map(({ index, 1: before = '', 2: name = '' }): NameUse => {
    const start = offset + index + before.length;
    return { kind: 'agent', name, isDefinition: true, start, end: start + name.length };
  });
});
