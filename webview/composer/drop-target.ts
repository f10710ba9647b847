import { carriesFiles, fileUrisIn } from './dropped-files.ts';

interface DropActions {
  canDrop(): boolean;
  attachUris(uris: readonly string[]): void;
  attachFiles(files: readonly File[]): void;
}

/**
 * The whole panel accepts dropped files. Otherwise, a file that misses the input would be opened in place of the panel.
 */
export class DropTarget {
  constructor(private readonly actions: DropActions) {}

  listen(): void {
    document.addEventListener('dragover', this.over);
    document.addEventListener('dragleave', this.left);
    document.addEventListener('drop', this.dropped);
  }

  dispose(): void {
    document.removeEventListener('dragover', this.over);
    document.removeEventListener('dragleave', this.left);
    document.removeEventListener('drop', this.dropped);
  }

  /**
   * Attaches pasted pictures and files. If the clipboard also has text, as with cells of a table, the text is pasted.
   */
  readonly pasted = (event: ClipboardEvent): void => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 || event.clipboardData?.getData('text/plain') !== '') return;
    event.preventDefault();
    this.actions.attachFiles(files);
  };

  private readonly over = (event: DragEvent): void => {
    const { dataTransfer } = event;
    if (!dataTransfer || !carriesFiles(dataTransfer)) return;
    event.preventDefault();
    dataTransfer.dropEffect = this.actions.canDrop() ? 'copy' : 'none';
    mark(this.actions.canDrop());
  };

  private readonly left = ({ relatedTarget }: DragEvent): void => {
    if (relatedTarget === null) mark(false);
  };

  private readonly dropped = (event: DragEvent): void => {
    mark(false);
    const { dataTransfer } = event;
    if (!dataTransfer || !carriesFiles(dataTransfer)) return;
    const uris = fileUrisIn(dataTransfer);
    const files = [...dataTransfer.files];
    // The URL of a web page is text, which the input accepts by itself.
    if (uris.length === 0 && files.length === 0) return;
    event.preventDefault();
    if (!this.actions.canDrop()) return;
    if (uris.length > 0) this.actions.attachUris(uris);
    else this.actions.attachFiles(files);
  };
}

function mark(isOver: boolean): void {
  document.body.classList.toggle('takes-drop', isOver);
}
