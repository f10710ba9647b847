import type { Language, Node } from 'web-tree-sitter';

/** Node types of the grammar, by their numbers. */
export interface Grammar {
  readonly types: readonly string[];
  readonly isNamed: readonly boolean[];
}

/** Caches whether each type is named, which saves a call into wasm for each node. */
export function grammarOf(language: Language): Grammar {
  return { types: language.types, isNamed: language.types.map((_, id) => language.nodeTypeIsNamed(id)) };
}

/** Characters without a special meaning anywhere in a word. */
const PLAIN = /^[\w./,@%+-]+$/;

/** Data that the nodes of one text share. */
interface ShellText extends Grammar {
  readonly source: string;
}

/**
 * A node of the tree, valid as long as the tree. It caches its properties, because most of the time went into repeated
 * calls into wasm.
 */
export class ShellNode {
  readonly type: string;
  readonly isNamed: boolean;
  readonly startIndex: number;
  readonly #node: Node;
  readonly #text: ShellText;
  #endIndex: number | undefined;
  #isPlainWord: boolean | undefined;
  #children: readonly ShellNode[] | undefined;
  #namedChildren: readonly ShellNode[] | undefined;

  constructor(node: Node, text: ShellText) {
    const { typeId } = node;
    this.type = text.types[typeId] ?? 'ERROR';
    this.isNamed = text.isNamed[typeId] ?? true;
    this.startIndex = node.startIndex;
    this.#node = node;
    this.#text = text;
  }

  get endIndex(): number {
    this.#endIndex ??= this.#node.endIndex;
    return this.#endIndex;
  }

  get text(): string {
    return this.#text.source.slice(this.startIndex, this.endIndex);
  }

  /** A word that means just its text, as most words do. It has no children. */
  get isPlainWord(): boolean {
    this.#isPlainWord ??= this.type === 'word' && PLAIN.test(this.text);
    return this.#isPlainWord;
  }

  get children(): readonly ShellNode[] {
    this.#children ??= this.isPlainWord ? [] : this.#node.children.map((child) => new ShellNode(child, this.#text));
    return this.#children;
  }

  get namedChildren(): readonly ShellNode[] {
    this.#namedChildren ??= this.children.filter(({ isNamed }) => isNamed);
    return this.#namedChildren;
  }

  childForField(name: string): ShellNode | undefined {
    const child = this.#node.childForFieldName(name);
    return child ? this.#known(child) : undefined;
  }

  childrenForField(name: string): readonly ShellNode[] {
    return this.#node.childrenForFieldName(name).map((child) => this.#known(child));
  }

  /** The existing wrapper of a child, so that its cached properties are reused. */
  #known(child: Node): ShellNode {
    return this.children.find((each) => each.#node.id === child.id) ?? new ShellNode(child, this.#text);
  }

  textsOfType(type: string): readonly string[] {
    return this.#node.descendantsOfType(type).map(({ text }) => text);
  }
}
