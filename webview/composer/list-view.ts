import * as l10n from '@vscode/l10n';
import { nothing, type TemplateResult } from 'lit';
import type { Suggestion } from '../../extension/protocol/panel/input-to-panel.ts';
import type { Suggesting } from '../state/suggesting.ts';
import { noSuggestion, suggestionList } from './suggestion-list.ts';

interface ListActions {
  readonly point: (item: Suggestion) => void;
  readonly take: (item: Suggestion) => void;
}

/** What is suggested for what is being typed, or that there is nothing. */
export function listView(
  { groups, active, token, isEmpty }: Suggesting,
  actions: ListActions,
): TemplateResult | typeof nothing {
  const isCommand = token?.about === 'command';
  if (isEmpty && isCommand) {
    // Behind a command anything may be written.
    return /\s/.test(token.query) ? nothing : noSuggestion(l10n.t('There is no command with this name'));
  }
  if (isEmpty) return noSuggestion(l10n.t('No matches for this name'));
  if (groups.length === 0) return nothing;
  return suggestionList(isCommand ? l10n.t('Commands') : l10n.t('Mentions'), groups, active, actions);
}
