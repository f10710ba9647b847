import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { looksSecret } from '../../policy/secret-files.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import {
  type Attachments,
  attachDetail,
  kindByName,
  type NewAttachment,
  uriAttachment,
} from '../context/attachments.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { droppedPath, fileNameOf, isPicture, notAttached, textIn } from './pasted.ts';
import type { PastedFiles } from './pasted-files.ts';
import type { Previews } from './previews.ts';

interface DroppedParts {
  readonly attachments: Attachments;
  readonly files: PastedFiles;
  readonly previews: Previews;
  readonly runtime: RuntimeLoader;
}

interface Pasted {
  readonly name: string;
  /** Base64. */
  readonly data: string;
  readonly preview?: string | undefined;
}

/** Dropping more files at once is an accident, and users would not read so many chips. */
const MOST_AT_ONCE = 30;

/** Attaches content that is pasted into the input or dropped on it. */
export class Dropped {
  constructor(private readonly parts: DroppedParts) {}

  /** Attaches files that were dragged from the Explorer and other lists of VS Code. */
  async attachUris(addresses: readonly string[]): Promise<void> {
    const isRemote = vscode.env.remoteName !== undefined;
    const paths = [...new Set(addresses.flatMap((address) => droppedPath(address, isRemote)?.path ?? []))];
    if (paths.length === 0)
      throw notAttached(l10n.t('Nothing was attached'), l10n.t("Gantry can't open what you dropped."));
    const uris = paths.slice(0, MOST_AT_ONCE).map((path) => vscode.Uri.from({ scheme: 'file', path }));
    if (!(await mayAttach(uris.filter(isUnexpected)))) return;
    for (const uri of uris) this.parts.attachments.add(await existing(uri));
    if (paths.length > MOST_AT_ONCE) {
      const title = l10n.t('The first {0} of {1} files were attached', MOST_AT_ONCE, paths.length);
      throw notAttached(title, l10n.t('You can attach a folder instead.'));
    }
  }

  /** Attaches data from the clipboard, or from outside of VS Code. */
  async attachData(pasted: Pasted): Promise<void> {
    this.parts.attachments.add(await this.fromData(pasted));
  }

  /** Saves an image or document as a file. Text is attached as it is. */
  async fromData({ name, data, preview }: Pasted): Promise<NewAttachment> {
    const { files, previews, runtime } = this.parts;
    const bytes = Buffer.from(data, 'base64');
    const label = fileNameOf(name);
    const { messageContext } = await runtime.load();
    const media = messageContext.mediaKind(bytes, label);
    if (media === undefined) return { kind: 'file', label, content: { text: textOf(bytes, label) } };
    const uri = await files.save(withEnding(label, media.ending), bytes);
    if (isPicture(preview)) previews.keep(uri, preview);
    return { kind: media.kind, label: fileNameOf(uri.path), content: { uri } };
  }
}

/** A drop that the panel reports cannot be verified: files outside the workspace and likely secrets need approval. */
function isUnexpected(uri: vscode.Uri): boolean {
  return vscode.workspace.getWorkspaceFolder(uri) === undefined || looksSecret(vscode.workspace.asRelativePath(uri));
}

async function mayAttach(unexpected: readonly vscode.Uri[]): Promise<boolean> {
  if (unexpected.length === 0) return true;
  const yes = l10n.t('Attach');
  const question = l10n.t('Attach files that are outside the workspace or may contain secrets?');
  const detail = attachDetail(unexpected.map(({ fsPath }) => withoutLinks(fsPath)));
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

async function existing(uri: vscode.Uri): Promise<NewAttachment> {
  try {
    return await uriAttachment(uri);
  } catch {
    throw notAttached(
      l10n.t('{0} was not attached', fileNameOf(uri.path)),
      l10n.t("It doesn't exist or can't be read."),
    );
  }
}

function textOf(bytes: Uint8Array, label: string): string {
  const text = textIn(bytes);
  if (text !== undefined && kindByName(label) === 'file') return text;
  throw notAttached(
    l10n.t('{0} was not attached', label),
    l10n.t('Only text, PNG, JPEG, WebP and HEIC images, and PDFs can be attached.'),
  );
}

function withEnding(name: string, ending: string): string {
  return name.toLowerCase().endsWith(`.${ending}`) || /\.\w+$/.test(name) ? name : `${name}.${ending}`;
}
