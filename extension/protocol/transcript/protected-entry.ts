import * as l10n from '@vscode/l10n';
import type { ProtectedChangedData, PutBackData } from '../agent/agent-event.ts';
import { protectedWords } from '../words/protected-words.ts';
import type { Entry } from './transcript-entry.ts';

export type ProtectedEntry = Extract<Entry, { kind: 'protected' }>;
export type ProtectedFile = ProtectedEntry['files'][number];

export function protectedEntry(id: string, data: ProtectedChangedData): ProtectedEntry {
  const { id: change, command, files, more } = data;
  return {
    kind: 'protected',
    id,
    change,
    command,
    files: files.map(({ path, name, what, kind, restorable }) => ({
      path,
      name,
      what: protectedWords(what),
      how: kind,
      restorable,
      state: 'there',
    })),
    ...(more !== undefined && { more }),
  };
}

export function afterPutBack(entry: ProtectedEntry, { files }: PutBackData): ProtectedEntry {
  const outcomes = new Map(files.map((file) => [file.path, file]));
  return {
    ...entry,
    files: entry.files.map((file) => {
      const { outcome, reason } = outcomes.get(file.path) ?? {};
      return outcome === undefined ? file : { ...file, state: outcome, ...(reason !== undefined && { reason }) };
    }),
  };
}

export function protectedTitle({ files, more = 0 }: Pick<ProtectedEntry, 'files' | 'more'>): string {
  const count = files.length + more;
  return count === 1 ? l10n.t('A protected file changed') : l10n.t('{0} protected files changed', count);
}

export function protectedCause({ command }: Pick<ProtectedEntry, 'command'>): string {
  return l10n.t('It happened while "{0}" ran, and nobody approved it.', command);
}

/** Describes a file: its kind, its change, and the result of restoring it. */
export function fileWords({ how, what, state, reason }: Omit<ProtectedFile, 'path' | 'name'>): string {
  if (state === 'back') return l10n.t('put back');
  if (state === 'again') return l10n.t('changed again since then, so it was kept');
  if (state === 'failed') return l10n.t('not put back: {0}', reason ?? '');
  const happened = HAPPENED[how]?.();
  return happened === undefined ? what : `${what}, ${happened}`;
}

const HAPPENED: Partial<Record<ProtectedFile['how'], () => string>> = {
  created: () => l10n.t('new'),
  deleted: () => l10n.t('deleted'),
  linked: () => l10n.t('now a link'),
  mode: () => l10n.t('execute permission changed'),
};

/** The files that can still be restored with the button. */
export function leftToPutBack({ files }: ProtectedEntry): readonly ProtectedFile[] {
  return files.filter(({ restorable, state }) => restorable && (state === 'there' || state === 'failed'));
}

/** The whole entry as one text, e.g. for screen readers. */
export function protectedText(entry: ProtectedEntry): string {
  const files = entry.files.map((file) => `${file.name}: ${fileWords(file)}`);
  return `${protectedTitle(entry)}. ${files.join('; ')}. ${protectedCause(entry)}`;
}
