import type { WindowChange } from '../../protocol/panel/panel-messages.ts';
import type { Entry } from '../../protocol/transcript/transcript-entry.ts';

/** The changes of a frame, each as short as it can be: hundreds of words of one answer are one piece of text. */
export class WindowChanges {
  private list: WindowChange[] = [];
  /** Where in the list the newest change to an entry is; a cut ends that, because it moves entries. */
  private readonly latest = new Map<string, number>();

  put(entry: Entry): void {
    const at = this.latest.get(entry.id);
    if (at !== undefined && this.list[at]?.op === 'put') this.list[at] = { op: 'put', entry };
    else this.latest.set(entry.id, this.list.push({ op: 'put', entry }) - 1);
  }

  /** `entry` is what it has become. */
  append(id: string, text: string, entry: Entry | undefined): void {
    const at = this.latest.get(id);
    const before = at === undefined ? undefined : this.list[at];
    if (at !== undefined && before?.op === 'put' && entry) this.list[at] = { op: 'put', entry };
    else if (at !== undefined && before?.op === 'append') this.list[at] = { ...before, text: before.text + text };
    else this.latest.set(id, this.list.push({ op: 'append', id, text }) - 1);
  }

  grow(): void {
    const last = this.list.at(-1);
    if (last?.op === 'grow') this.list[this.list.length - 1] = { op: 'grow', count: last.count + 1 };
    else this.list.push({ op: 'grow', count: 1 });
  }

  cut(at: number, count: number): void {
    this.list.push({ op: 'cut', at, count });
    this.latest.clear();
  }

  /** All of them, and starts again. */
  take(): WindowChange[] {
    const { list } = this;
    this.list = [];
    this.latest.clear();
    return list;
  }
}
