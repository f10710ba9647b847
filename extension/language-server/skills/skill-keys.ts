import * as l10n from '@vscode/l10n';
import { namesLike } from '../../text/nearest-names.ts';
import type { Span } from '../../text/text-range.ts';
import type { Matter } from '../front-matter/matter.ts';
import type { JsonSchema } from '../json/json-schema.ts';

/** The keys of a skill. Gantry reads the first two; the others are those of https://agentskills.io. */
export function skillSchema(): JsonSchema {
  const text = (description: string): JsonSchema => ({ type: 'string', description });
  return {
    type: 'object',
    required: ['name', 'description'],
    properties: {
      name: text(l10n.t('The name of the skill, at most 100 characters. The model activates the skill by it.')),
      description: text(l10n.t('What the skill is for, and when to use it. The model reads this in every request.')),
      license: text(l10n.t('The license of the skill. Gantry ignores it.')),
      compatibility: text(l10n.t('What the skill needs. Gantry ignores it.')),
      'allowed-tools': { description: l10n.t('Tools that need no approval. Gantry ignores it: rules decide.') },
      metadata: {
        type: 'object',
        description: l10n.t('Further facts. Gantry ignores them.'),
        additionalProperties: {},
      },
    },
  };
}

/** Real front matter has some dozen keys. */
const MAX_CHECKED = 500;

/** A key that has no effect, with the one that was probably meant. */
export interface KeyWithoutEffect {
  readonly name: string;
  readonly key: Span;
  readonly like: string | undefined;
}

export function keysWithoutEffect({ root }: Matter): readonly KeyWithoutEffect[] {
  const keys = Object.keys(skillSchema().properties ?? {});
  const free = keys.filter((key) => !root?.entries.some(({ name }) => name === key));
  return (root?.entries ?? []).slice(0, MAX_CHECKED).flatMap(({ name, key }) => {
    return keys.includes(name) ? [] : [{ name, key, like: namesLike(name, free, 1)[0] }];
  });
}
