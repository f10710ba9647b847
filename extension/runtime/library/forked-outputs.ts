import { sep } from 'node:path';
import { mapStrings } from '../../safety/map-strings.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';

export interface ForkedOutputs {
  /** As they are in the copy: outputs that they speak of are in its own folder. */
  readonly records: readonly SessionRecord[];
  /** Of the files that they speak of. */
  readonly names: readonly string[];
}

/** Logs can be written by anybody: a name leads nowhere else. */
const NAME = /^[\w-][\w.-]{0,250}/;

/** What another session gets of records that name files in the folder of outputs of theirs. */
export function forkedOutputs(records: readonly SessionRecord[], from: string, to: string): ForkedOutputs {
  const [mine, theirs] = [`${from}${sep}`, `${to}${sep}`];
  const names = new Set<string>();
  const moved = records.map((record) =>
    mapStrings(record, (text) => {
      if (!text.includes(mine)) return text;
      const [before = '', ...behind] = text.split(mine);
      for (const rest of behind) names.add(NAME.exec(rest)?.[0].replace(/\.$/, '') ?? '');
      return [before, ...behind].join(theirs);
    }),
  );
  names.delete('');
  return { records: moved, names: [...names] };
}
