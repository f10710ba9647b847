import type { PanelPage } from './panel-page.ts';

/** Expands everything in the conversation. It runs in the page, because there may be fifty elements. */
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
