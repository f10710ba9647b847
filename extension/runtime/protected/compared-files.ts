import type { ComparedFiles, ProtectedFiles } from '../../tools/shell/run-shell-command.ts';
import type { ChangedBy } from './protected-changes.ts';
import { changedFact } from './protected-texts.ts';
import type { ProtectedChange, ProtectedWatch } from './protected-watch.ts';

export type ReportChanges = (changes: readonly ProtectedChange[], by: ChangedBy) => Promise<void>;

/** Has protected files compared around each command of a session, and tells what it finds. */
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
