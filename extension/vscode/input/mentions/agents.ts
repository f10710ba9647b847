import * as l10n from '@vscode/l10n';
import type { RuntimeLoader } from '../../runtime-loader.ts';
import { fuzzyMatch } from '../../suggestions/fuzzy.ts';
import type { Mention, MentionSource } from '../../suggestions/mention-source.ts';

/** Agents that a task can be handed to. A mention only names the agent: the session explains the name to the model. */
export class Agents implements MentionSource {
  readonly title = l10n.t('Agents');
  readonly leadsByName = true;
  /** The definitions are read again for each list, which takes long on a busy disk. */
  readonly isSlow = true;

  constructor(private readonly runtime: RuntimeLoader) {}

  async search(query: string): Promise<readonly Mention[]> {
    const { agents } = await this.runtime.load();
    // Refreshes once per list: the list opens with the `@` alone.
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
