import { DrawnBlock } from './drawn-block.ts';

/**
 * Makes the children of `current` equal to those of `next`, changing only what differs: unchanged text keeps its nodes,
 * so the reader's selection and scroll position are kept when more of the answer arrives.
 */
export function morphChildren(current: Element, next: ParentNode & Node): void {
  let old = current.firstChild;
  for (let node = next.firstChild; node; ) {
    const following = node.nextSibling;
    if (!old) {
      current.append(node);
    } else {
      const after: ChildNode | null = old.nextSibling;
      morph(old, node);
      old = after;
    }
    node = following;
  }
  while (old) {
    const after: ChildNode | null = old.nextSibling;
    old.remove();
    old = after;
  }
}

function morph(old: ChildNode, next: ChildNode): void {
  if (old instanceof DrawnBlock && next instanceof DrawnBlock && old.tagName === next.tagName) {
    old.become(next);
  } else if (old instanceof Text && next instanceof Text) {
    morphText(old, next.data);
  } else if (
    old instanceof Element &&
    next instanceof Element &&
    old.tagName === next.tagName &&
    sameAttributes(old, next)
  ) {
    morphChildren(old, next);
  } else {
    old.replaceWith(next);
  }
}

/** Appending keeps a selection inside the text. Setting `data` would remove it. */
export function morphText(old: Text, text: string): void {
  if (old.data === text) return;
  if (text.startsWith(old.data)) old.appendData(text.slice(old.data.length));
  else old.data = text;
}

function sameAttributes(one: Element, other: Element): boolean {
  const names = one.getAttributeNames();
  return (
    names.length === other.getAttributeNames().length &&
    names.every((name) => one.getAttribute(name) === other.getAttribute(name))
  );
}
