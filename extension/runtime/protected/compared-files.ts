import type { RecordOf } from '../../sessions/session-record.ts';
import type { ComparedFiles, ProtectedFiles } from '../../tools/shell/run-shell-command.ts';
import type { ChangedBy } from './protected-changes.ts';
import type { ProtectedChange, ProtectedWatch } from './protected-watch.ts';

export type ReportChanges = (changes: readonly ProtectedChange[], by: ChangedBy) => Promise<void>;

/** Compares protected files before and after each command of a session, and reports changes. */
export function comparedFiles(watch: ProtectedWatch, report: ReportChanges): ProtectedFiles {
  return {
    before: async ({ callId, command, byPerson }): Promise<ComparedFiles> => {
      const facts: string[] = [];
      let inResult = true;
      const ended = await watch.begin({
        ...(byPerson && { read: { command, isGate: byPerson.isGate } }),
        found: async (changes) => {
          await report(changes, { callId, command, inResult });
          facts.push(changedFact(command, changes));
        },
      });
      return {
        after: async () => {
          await ended();
          return facts.length === 0 ? undefined : facts.join('\n');
        },
        later: (end) => {
          inResult = false;
          void end.then(ended);
        },
      };
    },
  };
}

/** The report for the model. */
export function changedFact(
  command: string,
  files: readonly { readonly name: string; readonly what: string }[],
): string {
  const names = files.map(({ name, what }) => `${name} (${what})`).join(', ');
  return (
    `Protected files: while ${command} ran, ${names} changed, which nobody approved. The user has been told and can put ` +
    'it back. Do not change it again unless the user asks for it.'
  );
}

export function putBackNotice({ files }: RecordOf<'protected_put_back'>): string {
  const paths = files.flatMap(({ path, outcome }) => (outcome === 'back' ? [path] : []));
  return `[The user put back protected files that had changed while a command ran: ${paths.join(', ')}. Do not change them again unless the user asks for it.]`;
}
