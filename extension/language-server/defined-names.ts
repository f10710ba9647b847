import { onceEach } from '../base/once.ts';
import { splitFrontMatter } from '../text/front-matter.ts';
import type { ConfigDocument } from './config-document.ts';
import type { NameUse } from './names.ts';

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
