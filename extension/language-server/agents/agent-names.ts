import { onceEach } from '../../base/once.ts';
import { inFile, type Span } from '../../text/text-range.ts';
import { mentionedCommands } from '../commands/command-names.ts';
import type { ConfigDocument } from '../config-document.ts';
import { type Matter, matterOf, nodeAtPath, textsIn } from '../front-matter/matter.ts';
import { keyOf } from '../front-matter/matter-help.ts';
import type { NameUse } from '../names.ts';

/** The agents and servers that a definition of agents defines and mentions. */
export const agentNames = onceEach((file: ConfigDocument): readonly NameUse[] => {
  const matter = matterOf(file);
  if (!matter?.root) return [];
  const texts = [...textsIn(matter.root)].flatMap(({ path, node, text }): NameUse[] => {
    const kind = KINDS[keyOf(path)];
    const span = kind && plainSpan(matter, node, text);
    return span ? [{ name: text, ...kind, ...span }] : [];
  });
  const servers = nodeAtPath(matter.root, ['mcp_servers'])?.entries ?? [];
  const ofServers = servers.flatMap(({ name, key }): NameUse[] => {
    const span = plainSpan(matter, key, name);
    return span ? [{ kind: 'server', name, isDefinition: true, ...span }] : [];
  });
  const body = { start: matter.offset + matter.header.length, end: file.text.length };
  return [...texts, ...ofServers, ...mentionedCommands(file.text, body)];
});

const KINDS: Readonly<Record<string, Pick<NameUse, 'kind' | 'isDefinition'>>> = {
  name: { kind: 'agent', isDefinition: true },
  tools: { kind: 'tool' },
};

/** A text in the front matter itself, without quotes. Undefined if it is written with escapes. */
export function plainSpan(matter: Matter, { start, end }: Span, text: string): Span | undefined {
  const written = matter.header.slice(start, end);
  const quotes = /^["']/.test(written) ? 1 : 0;
  return written.slice(quotes, written.length - quotes) === text
    ? inFile(matter, { start: start + quotes, end: end - quotes })
    : undefined;
}
