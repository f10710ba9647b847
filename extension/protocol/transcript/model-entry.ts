import * as l10n from '@vscode/l10n';
import type { ElicitationRequestEvent, ModelSwitchedData, ModelWaitingData } from '../agent/agent-event.ts';
import { modelChoiceButtons } from '../agent/decisions.ts';
import type { Entry } from './transcript-entry.ts';

type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** A wait between two attempts. It is removed when something else happens. */
export function retryEntry(id: string, { attempt, attempts, until, why }: ModelWaitingData): EntryOf<'retry'> {
  return { kind: 'retry', id, why, until, attempt, attempts };
}

export function switchNote(id: string, data: ModelSwitchedData): EntryOf<'note'> {
  return { kind: 'note', id, icon: 'info', text: switchWords(data) };
}

/** The text about a switch of the model, the same on every surface. */
export function switchWords({ from, to, why }: ModelSwitchedData): string {
  return l10n.t('Switched from {0} to {1}: {2}', from, to, why);
}

/** Returns undefined for questions about something else. */
export function choiceEntry({
  requestId,
  title = '',
  message,
  _meta,
}: ElicitationRequestEvent): EntryOf<'choice'> | undefined {
  const choice = _meta?.modelChoice;
  if (!choice) return undefined;
  const { link } = choice;
  return {
    kind: 'choice',
    id: requestId,
    title,
    message,
    options: modelChoiceButtons(choice).map((button) => ({ ...button })),
    ...(link && { link: { ...link } }),
  };
}
