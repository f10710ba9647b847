import { onceEach } from '../../base/once.ts';
import type { JsonNode, JsonPath } from '../../text/json-tree.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { NameUse } from '../names.ts';
import { jsonOf, quotedIn } from './json-document.ts';
import { type JsonFileSource, settingPathOf } from './json-file-source.ts';
import { namedAt, namedByKey } from './named-values.ts';

type Kind = NameUse['kind'];

/** The servers that a JSON file defines, and the servers, agents and tools that it mentions. */
export function jsonNames(file: ConfigDocument, source: JsonFileSource): readonly NameUse[] {
  return namesByKind(file)(source);
}

const namesByKind = onceEach((file: ConfigDocument) => {
  const made = new Map<JsonFileSource['kind'], readonly NameUse[]>();
  return (source: JsonFileSource): readonly NameUse[] => {
    const known = made.get(source.kind) ?? usesIn(jsonOf(file).root, [], file.text, source);
    made.set(source.kind, known);
    return known;
  };
});

function usesIn(node: JsonNode | undefined, path: JsonPath, text: string, source: JsonFileSource): readonly NameUse[] {
  if (!node) return [];
  const own = node.kind === 'string' ? valueUse(node, path, text, source) : [];
  const items = node.items.flatMap((item, at) => usesIn(item, [...path, at], text, source));
  const entries = node.entries.flatMap(({ name, key, node: inner }) => {
    const here = [...path, name];
    return [...keyUse(key, here, text, source), ...usesIn(inner, here, text, source)];
  });
  return [...own, ...items, ...entries];
}

function keyUse(
  key: { readonly start: number; readonly end: number },
  path: JsonPath,
  text: string,
  source: JsonFileSource,
): readonly NameUse[] {
  const place = settingPathOf(source, path);
  const written = quotedIn(text, key);
  if (!written) return [];
  if (source.servers && place.length === 2 && place[0] === 'mcpServers')
    return [{ kind: 'server', name: written.text, isDefinition: true, ...written.inner, write: escaped }];
  if (namedByKey(place) === 'agent') return [{ kind: 'agent', name: written.text, ...written.inner, write: escaped }];
  return [];
}

function valueUse(node: JsonNode, path: JsonPath, text: string, source: JsonFileSource): readonly NameUse[] {
  const place = settingPathOf(source, path);
  const written = quotedIn(text, node);
  if (!written) return [];
  const { start } = written.inner;
  if (place[0] === 'hooks' && namedAt(place) === 'tool') return toolsInPattern(written.text, start);
  const kind = kindOf(place);
  if (kind === undefined) return [];
  // `mcp_docs_search(…)`: the name ends before the bracket.
  const name = /^[^(]*/.exec(written.text)?.[0].trimEnd() ?? '';
  return name === '' ? [] : [{ kind, name, start, end: start + name.length, write: escaped }];
}

/** The tools of servers in a matcher, such as `write_file|mcp_docs_.*`. */
function toolsInPattern(pattern: string, offset: number): readonly NameUse[] {
  return [...pattern.matchAll(/(?<![\w.:-])mcp_[\w.:-]+/g)].map(({ 0: name, index }): NameUse => {
    const start = offset + index;
    return { kind: 'tool', name, start, end: start + name.length };
  });
}

function kindOf(place: JsonPath): Kind | undefined {
  const [section, key, ...rest] = place;
  if (section === 'skills' && key === 'disabled' && rest.length === 1) return 'skill';
  switch (namedAt(place)) {
    case 'server':
      return 'server';
    case 'agent scope':
      return 'agent';
    case 'tool':
    case 'agent tool':
      return 'tool';
    default:
      return undefined;
  }
}

function escaped(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}
