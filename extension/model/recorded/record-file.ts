import { appendFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '../../files/error-code.ts';
import { failureReason } from '../../files/file-failure.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';

/** Before anything is sent: an answer that cannot be recorded costs as much as one that can. */
export function checkRecord(file: string): Promise<void> {
  return add(file, '', 'Nothing was sent');
}

export function addToRecord(file: string, line: string): Promise<void> {
  return add(file, `${line}\n`, 'The session is kept');
}

async function add(file: string, text: string, kept: string): Promise<void> {
  try {
    // What the model said of the workspace is for nobody else on this machine.
    await appendFile(file, text, { mode: 0o600 });
  } catch (cause) {
    const why = isMissing(cause) ? `there is no folder ${dirname(file)}` : failureReason(cause);
    throw new ProblemError(
      {
        kind: 'bad-input',
        title: 'The answers cannot be recorded',
        detail: `${file}: ${why}. ${kept}. Name another file with --record.`,
        actions: [],
      },
      { cause },
    );
  }
}
