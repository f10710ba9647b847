import { appendFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '../../files/error-code.ts';
import { failureReason } from '../../files/file-failure.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';

/** Checks the file before the first request, because an answer that cannot be recorded still costs money. */
export function checkRecord(file: string): Promise<void> {
  return add(file, '', 'Nothing was sent');
}

export function addToRecord(file: string, line: string): Promise<void> {
  return add(file, `${line}\n`, 'The session is kept');
}

async function add(file: string, text: string, kept: string): Promise<void> {
  try {
    // Answers reveal the workspace, so other users of this machine must not read them.
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
