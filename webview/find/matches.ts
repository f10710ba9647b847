/** Icons and controls are not part of the searchable text. */
const NOT_SAID = '.sr, button, vscode-button, .codicon, gantry-clock, [aria-hidden="true"]';
const BLOCKS = 'p, li, pre, td, th, h2, h3, h4, h5, h6, blockquote, div, article, summary, figure, .what > *';

/** The ranges of all matches in the drawn content, in reading order. A match may span several elements. */
export function matchRanges(root: Element, query: string): readonly Range[] {
  const wanted = folded(query);
  if (wanted === '') return [];
  const { text, nodes } = textOf(root);
  const words = folded(text);
  const ranges: Range[] = [];
  const placeOf = places(nodes);
  for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + wanted.length)) {
    const range = document.createRange();
    const [first, last] = [placeOf(at), placeOf(at + wanted.length - 1)];
    if (!first || !last) continue;
    range.setStart(first.node, first.offset);
    range.setEnd(last.node, last.offset + 1);
    ranges.push(range);
  }
  return ranges;
}

interface Piece {
  readonly node: Text;
  readonly start: number;
}

function textOf(root: Element): { text: string; nodes: readonly Piece[] } {
  const nodes: Piece[] = [];
  let text = '';
  let block: Element | null | undefined;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(NOT_SAID)) continue;
    const around = node.parentElement?.closest(BLOCKS);
    // A match must not span two blocks.
    if (around !== block) text += '\n';
    block = around;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  return { text, nodes };
}

/** Positions must be requested in ascending order, so that a long text is traversed only once. */
function places(nodes: readonly Piece[]): (at: number) => { node: Text; offset: number } | undefined {
  let index = -1;
  return (at) => {
    for (let next = nodes[index + 1]; next && next.start <= at; next = nodes[index + 1]) index++;
    const piece = nodes[index];
    return piece && { node: piece.node, offset: Math.min(at - piece.start, piece.node.length - 1) };
  };
}

/** Lowercases the text without changing its length. A few letters, such as İ, become longer and are kept. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (sign) => (sign.toLowerCase().length === sign.length ? sign.toLowerCase() : sign)).join('');
}
