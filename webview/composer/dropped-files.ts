import * as l10n from '@vscode/l10n';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { formatTenths } from '../base/format.ts';
import type { SendRefusal } from '../state/composer-state.ts';

type Pasted = Extract<ToHost, { type: 'attachData' }>;

/** What the host takes; looked at here already, so that nothing large is read for nothing. */
const MAX_BYTES = 7 * 1024 * 1024;
/** In CSS pixels, for screens with twice as many. */
const PREVIEW_SIZE = 240;
/** The host takes this much. */
const MAX_PREVIEW = 64 * 1024;

/** Lists of VS Code and of the desktop. */
const URI_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/** Whether something is dragged that can be attached; what it is, is not known before it is dropped. */
export function carriesFiles({ types }: Pick<DataTransfer, 'types'>): boolean {
  return [...types].some((type) => type === 'Files' || URI_LISTS.some((list) => list === type));
}

/** Addresses of files; those of web pages are words. */
export function fileUrisIn(data: Pick<DataTransfer, 'getData'>): readonly string[] {
  const lists = URI_LISTS.map((type) => data.getData(type));
  const list = lists.find((text) => text !== '') ?? '';
  const lines = list.split(/\r\n|\r|\n/).map((line) => line.trim());
  return lines.filter((line) => /^(?:file|vscode-remote):/i.test(line)).slice(0, 100);
}

/** What the host gets of a file, or why it gets nothing. */
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

/** Drawn again, so that what is kept is small and has nothing in it but pixels. */
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
