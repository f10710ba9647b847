import assert from 'node:assert/strict';
import { PAGES } from '../support/panel/pages.ts';
import { tabWalk } from '../support/panel/tab-walk.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { some } from '../support/test-size.ts';

describe("in the system's own colours", () => {
  const bench = usePanel();

  for (const [what, open] of some(Object.entries(PAGES), 2)) {
    it(`nothing of the page “${what}” vanishes`, async function () {
      this.timeout(120_000);
      const panel = await open(bench, { theme: 'dark', media: { forcedColors: 'active' } });
      await panel.screenshot(`forced-colours-${what}`);
      assert.deepEqual(await panel.page.evaluate(vanished), [], 'told apart by a background alone');
      const { names, unmarked } = await tabWalk(panel);
      assert.ok(names.length > 0);
      assert.deepEqual(unmarked, [], 'without a focus ring');
    });
  }
});

/** In the page: what has a shape of its own, and neither an edge nor a colour that the system lets it have. */
function vanished(): string[] {
  const SHAPES =
    'vscode-button, .send, .badge, .tag, .chip, .ring, .context-bar, [aria-selected=true], :checked, .you:not(.editing), .ask, .alert, .composer';
  const canvas = getComputedStyle(document.body).backgroundColor;
  const shapes = [...document.querySelectorAll<HTMLElement>(SHAPES)];
  return shapes
    .filter((shape) => isSeen(shape) && !partsOf(shape).some(hasShape))
    .map((shape) => shape.outerHTML.slice(0, 140));

  function isSeen(element: HTMLElement): boolean {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility !== 'hidden' && !element.closest('[inert]');
  }

  /** With what is drawn inside of the elements of the toolkit. */
  function partsOf(element: HTMLElement): Element[] {
    return [
      element,
      ...(element.shadowRoot?.querySelectorAll('*') ?? []),
      ...(element.matches('.ring') ? element.querySelectorAll('*') : []),
    ];
  }

  function hasShape(element: Element): boolean {
    const style = getComputedStyle(element);
    const sides = ['Top', 'Right', 'Bottom', 'Left'] as const;
    const hasBorder = sides.some(
      (side) => style[`border${side}Style`] !== 'none' && parseFloat(style[`border${side}Width`]) > 0,
    );
    const hasOutline = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
    const colour = style.backgroundColor;
    const hasColour = style.backgroundImage !== 'none' || (!/, 0\)$|^transparent$/.test(colour) && colour !== canvas);
    return hasBorder || hasOutline || hasColour || element instanceof SVGElement;
  }
}
