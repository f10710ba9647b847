import * as l10n from '@vscode/l10n';
import type { AgentEvent } from '../agent/agent-event.ts';
import { plainText } from '../agent/content-part.ts';
import type { Entry } from './transcript-entry.ts';

type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** What a hook said, or added for the model to read. */
export function hookNote(event: Extract<AgentEvent, { type: 'message' }>): EntryOf<'note'> {
  const { hook, kind } = event._meta ?? {};
  const words = plainText(event.content);
  const text =
    kind === 'context'
      ? l10n.t('The hook {0} added: {1}', String(hook), words)
      : l10n.t('The hook {0}: {1}', String(hook), words);
  return { kind: 'note', id: event.id, icon: 'info', text };
}

export function shownProblem(event: Extract<AgentEvent, { type: 'error' }>): EntryOf<'problem'>['problem'] {
  const problem = event._meta?.problem;
  if (problem) return { ...problem, actions: [...problem.actions] };
  return {
    kind: 'internal',
    title: l10n.t('Something went wrong'),
    detail: event.message,
    actions: ['retry', 'show-log'],
  };
}
