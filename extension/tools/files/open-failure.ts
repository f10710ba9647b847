import type { OpenFailure } from '../../files/regular-file.ts';
import { type ToolErrorType, type ToolResult, toolError } from '../../ports/tool.ts';

/** The result for the model if a file couldn't be opened. */
export function openFailure(reason: OpenFailure, label: string): ToolResult {
  const [type, message] = FAILURES[reason];
  return toolError(type, message(label));
}

const FAILURES: Readonly<Record<OpenFailure, readonly [ToolErrorType, (label: string) => string]>> = {
  missing: ['file_not_found', (label) => `File not found: ${label}`],
  folder: [
    'target_is_directory',
    (label) => `${label} is a folder, not a file. Give the path of a file; list_directory shows what is in it.`,
  ],
  not_regular: ['read_content_failure', (label) => `${label} is not a regular file, so it has no content to read.`],
  no_permission: ['permission_denied', (label) => `Permission denied: ${label}`],
  changed_meanwhile: ['read_content_failure', (label) => `${label} was replaced while it was being opened. Try again.`],
  failed: ['read_content_failure', (label) => `Could not open ${label}.`],
};
