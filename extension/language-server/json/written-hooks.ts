import { onceEach } from '../../base/once.ts';
import type { JsonNode, JsonPath } from '../../text/json-tree.ts';
import type { JsonDocument } from './json-document.ts';

/** A hook as it is written, whether it is valid or not. */
export interface WrittenHook {
  /** The path of its object. */
  readonly path: JsonPath;
  readonly command: string | undefined;
  /** The names in its `env`. */
  readonly variables: readonly string[];
}

/** Hooks that share a matcher, as they are written. */
export interface WrittenGroup {
  readonly event: string;
  readonly path: JsonPath;
  readonly matcher: string | undefined;
  readonly hooks: readonly WrittenHook[];
}

/** More than anybody has. Their programs are looked for on the disk. */
const MAX_GROUPS = 100;
const MAX_HOOKS = 10;

/** The hooks in a file, by the groups that share a matcher. */
export const writtenGroups = onceEach(({ places }: JsonDocument): readonly WrittenGroup[] => {
  const events = places.at(['hooks'])?.node?.entries ?? [];
  // Of several keys with the same name, the last one counts.
  const counting = [...new Map(events.map((event) => [event.name, event])).values()];
  const groups = counting.flatMap(({ name: event, node: groups }) =>
    (groups?.items ?? []).map((group, at) => {
      const path = ['hooks', event, at];
      const hooks = entryOf(group, 'hooks')?.items ?? [];
      return {
        event,
        path,
        matcher: textIn(entryOf(group, 'matcher')),
        hooks: hooks.slice(0, MAX_HOOKS).map((hook, index) => ({
          path: [...path, 'hooks', index],
          command: textIn(entryOf(hook, 'command')),
          variables: (entryOf(hook, 'env')?.entries ?? []).map(({ name }) => name),
        })),
      };
    }),
  );
  return groups.slice(0, MAX_GROUPS);
});

function entryOf({ entries }: JsonNode, name: string): JsonNode | undefined {
  return entries.findLast((entry) => entry.name === name)?.node;
}

function textIn(node: JsonNode | undefined): string | undefined {
  return typeof node?.value === 'string' ? node.value : undefined;
}
