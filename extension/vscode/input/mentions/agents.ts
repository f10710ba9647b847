import * as l10n from '@vscode/l10n';
import type { RuntimeLoader } from '../../runtime-loader.ts';
import { fuzzyMatch } from '../../suggestions/fuzzy.ts';
import type { Mention, MentionSource } from '../../suggestions/mention-source.ts';

/** Who a task can be handed to. Only named: the session tells the model what the name means. */
export class Agents implements MentionSource {
  readonly title = l10n.t('Agents');
  readonly leadsByName = true;

  constructor(private readonly runtime: RuntimeLoader) {}

  async search(query: string): Promise<readonly Mention[]> {
    const { agents } = await this.runtime.load();
    // Once for each list: it opens with the sign alone.
    if (query === '') await agents.refresh();
    const found = agents.agents().flatMap(({ name, description }) => {
      const match = fuzzyMatch(query, name);
      return match ? [{ score: match.score, mention: mentionOf(name, description, match.positions) }] : [];
    });
    return found.sort((left, right) => right.score - left.score).map(({ mention }) => mention);
  }
}

function mentionOf(name: string, description: string, marks: readonly number[]): Mention {
  const [detail = ''] = description.split('\n', 1);
  return { icon: 'agent', label: name, marks, detail, name };
}
