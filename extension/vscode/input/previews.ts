import * as vscode from 'vscode';
import type { Attachment } from '../../protocol/agent/attachment.ts';
import type { AttachmentContent } from '../context/kept-attachments.ts';

/** Larger images are not sent to the panel, because the extension cannot scale them down. */
const MAX_PICTURE_BYTES = 300_000;
/** How much of a file is read for an excerpt. */
const MAX_EXCERPT_BYTES = 100_000;

interface Preview {
  readonly excerpt?: string;
  readonly picture?: string;
}

/** The number of pasted images whose previews are kept. */
const MOST_KEPT = 50;

/** The previews of attachments that chips show. */
export class Previews {
  private readonly pasted = new Map<string, string>();

  /** Keeps the preview that the panel made when the image was pasted. */
  keep(uri: vscode.Uri, picture: string): void {
    this.pasted.set(uri.toString(), picture);
    const [oldest] = this.pasted.keys();
    if (this.pasted.size > MOST_KEPT && oldest !== undefined) this.pasted.delete(oldest);
  }

  async of(kind: Attachment['kind'], content: AttachmentContent): Promise<Preview> {
    if ('text' in content) return { excerpt: excerptOf(content.text) };
    const picture = this.pasted.get(content.uri.toString());
    return picture === undefined ? read(kind, content.uri).catch(() => ({})) : { picture };
  }
}

async function read(kind: Attachment['kind'], uri: vscode.Uri): Promise<Preview> {
  if (kind === 'folder' || kind === 'document') return {};
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > (kind === 'image' ? MAX_PICTURE_BYTES : MAX_EXCERPT_BYTES)) return {};
  const bytes = Buffer.from(await vscode.workspace.fs.readFile(uri));
  if (kind !== 'image') return bytes.includes(0) ? {} : { excerpt: excerptOf(bytes.toString('utf8')) };
  const type = PICTURES.find(({ begins }) => bytes.subarray(0, 12).toString('latin1').startsWith(begins))?.type;
  return type === undefined ? {} : { picture: `data:${type};base64,${bytes.toString('base64')}` };
}

/** Image formats that a browser can show. */
const PICTURES = [
  { begins: '\x89PNG', type: 'image/png' },
  { begins: '\xff\xd8\xff', type: 'image/jpeg' },
  { begins: 'RIFF', type: 'image/webp' },
] as const;

const LINES = 12;
const CHARACTERS = 600;

/** The beginning of a text, by which the user recognizes it. */
function excerptOf(text: string): string {
  const lines = text
    .slice(0, CHARACTERS)
    .split(/\r\n|\r|\n/)
    .slice(0, LINES);
  const excerpt = lines.join('\n').trimEnd();
  return excerpt.length < text.trimEnd().length ? `${excerpt}\n…` : excerpt;
}
