import type { PanelPage } from './panel-page.ts';

/** Presses what unfolds something in the conversation, until nothing is folded. In the page: there may be fifty of them. */
export async function unfold({ page }: PanelPage): Promise<void> {
  await page.evaluate(async () => {
    for (let folded = first(); folded; folded = first()) {
      folded.click();
      await new Promise(requestAnimationFrame);
    }

    function first(): HTMLElement | null {
      return document.querySelector<HTMLElement>('.log button[aria-expanded=false]:not([aria-haspopup])');
    }
  });
}
