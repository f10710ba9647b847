import type { TextEdit } from 'vscode-languageserver-types';
import { inFile, type Span } from '../../text/text-range.ts';
import type { YamlNode } from '../../text/yaml-tree.ts';
import type { ConfigDocument } from '../config-document.ts';
import { type Matter, nodeAtPath } from './matter.ts';
import type { YamlPath } from './yaml-cursor.ts';

/** Changes to the front matter of a document. Each is undefined where it can't be made without changing anything else. */
export class MatterEdits {
  constructor(
    private readonly file: ConfigDocument,
    private readonly matter: Matter,
  ) {}

  renameKey(path: YamlPath, newName: string): TextEdit | undefined {
    const entry = this.around(path)?.entries.find(({ name }) => name === path.at(-1));
    return entry && this.replaced(entry.key, newName);
  }

  replaceValue(path: YamlPath, newText: string): TextEdit | undefined {
    const node = nodeAtPath(this.matter.root, path);
    return node && node.end > node.start ? this.replaced(node, newText) : undefined;
  }

  /** Gives a key without a value one. */
  fill(path: YamlPath, newText: string): TextEdit | undefined {
    const entry = this.around(path)?.entries.find(({ name }) => name === path.at(-1));
    const { header } = this.matter;
    const colon = entry ? /^[ \t]*:[ \t]*/.exec(header.slice(entry.key.end)) : null;
    if (!entry || !colon) return undefined;
    const start = entry.key.end + colon[0].length;
    return this.replaced(
      { start, end: Math.max(start, entry.node.end) },
      colon[0].endsWith(':') ? ` ${newText}` : newText,
    );
  }

  /** Removes a key with its value, or an item of a list. */
  remove(path: YamlPath): TextEdit | undefined {
    const around = this.around(path);
    const parts = around && partsOf(around);
    const at = parts?.findIndex(({ step }) => step === path.at(-1)) ?? -1;
    const part = parts?.[at];
    if (!around || !parts || !part) return undefined;
    if (this.isInline(around)) {
      const [before, after] = [parts[at - 1], parts[at + 1]];
      // With the comma before it, or the one after it.
      if (before) return this.replaced({ start: before.end, end: part.end }, '');
      return this.replaced({ start: part.start, end: after ? after.start : part.end }, '');
    }
    // Without others, an empty value would be left.
    if (parts.length < 2) return path.length > 1 ? this.remove(path.slice(0, -1)) : undefined;
    return this.lines(part);
  }

  /** Adds a key to the object at a path, after its last key. */
  add(path: YamlPath, line: string): TextEdit | undefined {
    const { header, root } = this.matter;
    const object = nodeAtPath(root, path);
    const last = object?.entries.at(-1);
    if (!root || !object || !last) {
      const isEmpty = path.length === 0 && header.trim() === '';
      return isEmpty ? this.replaced({ start: 0, end: 0 }, `${line}\n`) : undefined;
    }
    if (this.isInline(object)) return this.replaced({ start: last.node.end, end: last.node.end }, `, ${line}`);
    const end = this.lineEnd(Math.max(last.key.end, last.node.end));
    const column = last.key.start - (header.lastIndexOf('\n', last.key.start - 1) + 1);
    return this.replaced({ start: end, end }, `${this.newline}${' '.repeat(column)}${line}`);
  }

  private around(path: YamlPath): YamlNode | undefined {
    return path.length === 0 ? undefined : nodeAtPath(this.matter.root, path.slice(0, -1));
  }

  private isInline({ start }: YamlNode): boolean {
    return this.matter.header[start] === '{' || this.matter.header[start] === '[';
  }

  /** Removes the lines of a part, if nothing else is in them. */
  private lines({ start, end, step }: Part): TextEdit | undefined {
    const { header } = this.matter;
    const begins = header.lastIndexOf('\n', start - 1) + 1;
    // A key in the line of a dash belongs to an item with other keys.
    const before = typeof step === 'number' ? /^[ \t]*-[ \t]+$/ : /^[ \t]*$/;
    if (!before.test(header.slice(begins, start))) return undefined;
    const ends = this.lineEnd(end);
    // The line break after it, or the one before it at the end of the front matter.
    const broken = /^\r?\n/.exec(header.slice(ends))?.[0].length ?? 0;
    if (broken > 0) return this.replaced({ start: begins, end: ends + broken }, '');
    const breakBefore = /\r?\n$/.exec(header.slice(0, begins))?.[0].length ?? 0;
    return this.replaced({ start: begins - breakBefore, end: ends }, '');
  }

  private lineEnd(from: number): number {
    const { header } = this.matter;
    const end = header.indexOf('\n', from);
    if (end === -1) return header.length;
    return header[end - 1] === '\r' ? end - 1 : end;
  }

  private get newline(): string {
    return this.file.text.includes('\r\n') ? '\r\n' : '\n';
  }

  private replaced(span: Span, newText: string): TextEdit {
    return { range: this.file.rangeOf(inFile(this.matter, span)), newText };
  }
}

interface Part extends Span {
  readonly step: string | number;
}

function partsOf({ entries, items }: YamlNode): readonly Part[] {
  return [
    ...entries.map(({ name, key, node }) => ({ step: name, start: key.start, end: Math.max(key.end, node.end) })),
    ...items.map(({ start, end }, step) => ({ step, start, end })),
  ];
}
