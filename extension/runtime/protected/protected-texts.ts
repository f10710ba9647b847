import type { RecordOf } from '../../sessions/session-record.ts';

/** For the model. */
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
