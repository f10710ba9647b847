import * as l10n from '@vscode/l10n';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { formatTenths } from '../base/format.ts';
import type { SendRefusal } from '../state/composer-state.ts';

type Pasted = Extract<ToHost, { type: 'attachData' }>;

/** The host's size limit. It is also checked here, so that large files are not read in vain. */
const MAX_BYTES = 7 * 1024 * 1024;
/** In CSS pixels, at twice the displayed size for high-density screens. */
const PREVIEW_SIZE = 240;
/** The host's size limit for previews. */
const MAX_PREVIEW = 64 * 1024;

/** The formats of URI lists from VS Code and from the desktop. */
const URI_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/** Whether the dragged data can be attached. Its content is not available before the drop. */
export function carriesFiles({ types }: Pick<DataTransfer, 'types'>): boolean {
  return [...types].some((type) => type === 'Files' || URI_LISTS.some((list) => list === type));
}

/** The URIs of files. URLs of web pages are treated as text. */
export function fileUrisIn(data: Pick<DataTransfer, 'getData'>): readonly string[] {
  const lists = URI_LISTS.map((type) => data.getData(type));
  const list = lists.find((text) => text !== '') ?? '';
  const lines = list.split(/\r\n|\r|\n/).map((line) => line.trim());
  return lines.filter((line) => /^(?:file|vscode-remote):/i.test(line)).slice(0, 100);
}

/** The attachment message for the host, or the reason why the file cannot be attached. */
export async function readPasted(file: File): Promise<Pasted | SendRefusal> {
  const name = file.name || l10n.t('pasted');
  if (file.size > MAX_BYTES) {
    const size = formatTenths(file.size / 1024 / 1024);
    return {
      title: l10n.t('{0} is too large to attach ({1} MB)', name, size),
      detail: l10n.t(
        'The limit is 7 MB. Nothing was attached. Make it smaller, or put it into the folder and ask about it.',
      ),
    };
  }
  const data = await base64Of(file).catch(() => undefined);
  if (data === undefined) {
    return {
      title: l10n.t('{0} could not be read', name),
      detail: l10n.t('Nothing was attached. A folder can be dragged from the Explorer.'),
    };
  }
  const preview = file.type.startsWith('image/') ? await previewOf(file).catch(() => undefined) : undefined;
  return { type: 'attachData', name, data, ...(preview !== undefined && { preview }) };
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** Redraws the picture, so that the preview is small and contains nothing but pixels. */
async function previewOf(file: Blob): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, PREVIEW_SIZE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const address = canvas.toDataURL('image/webp', 0.8);
  return address.length <= MAX_PREVIEW ? address : undefined;
}
