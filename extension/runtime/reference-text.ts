import type { Attachment } from '../protocol/attachment.ts';
import type { ReferencePart } from '../protocol/content-part.ts';
import { attachmentOf, editorOf } from '../protocol/reference.ts';
import { oneLine } from '../tools/one-line.ts';
import { asUntrusted } from '../tools/untrusted.ts';

/** As long as names of files get. */
const MAX_NAME = 255;

/**
 * What the model gets for a reference: a line in our words, then the text, marked as data. What the user attached by hand
 * is named in that line, which counts as naming it; what is merely open in the editor is named behind the mark only.
 */
export function referenceText(part: ReferencePart): string {
  const attachment = attachmentOf(part);
  if (attachment) return `${headOf(attachment)}\n${asUntrusted(part.text)}`;
  if (editorOf(part)) return `${EDITOR_HEAD}\n${asUntrusted(part.text)}`;
  return `Attached${part.uri === undefined ? '' : ` ${quoted(part.uri)}`}:\n${asUntrusted(part.text)}`;
}

const EDITOR_HEAD = 'The editor of the user, as of this message (for orientation; it need not be what they ask about):';

function headOf({ kind, label, path, startLine, endLine }: Attachment): string {
  const name = quoted(path ?? label);
  switch (kind) {
    case 'file':
      return `The user attached the file ${name}:`;
    case 'folder':
      return `The user attached the folder ${name}. What is in it:`;
    case 'selection':
      return startLine === undefined
        ? `The user attached what they selected in ${name}:`
        : `The user attached lines ${startLine}-${endLine ?? startLine} of ${name}:`;
    case 'terminal':
      return `The user attached this from ${name}:`;
    case 'problem':
      return `The user attached a problem that the editor reports in ${name}:`;
    case 'changes':
      return `The user attached changes, ${name}:`;
  }
}

/** A name is somebody else's text, too. */
function quoted(name: string): string {
  return JSON.stringify(oneLine(name, MAX_NAME).replaceAll('<', '‹'));
}
