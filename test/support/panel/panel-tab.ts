import type { BrowserContext, Page } from 'playwright-core';
import { provideVsCode } from './in-page.ts';
import { type PanelOptions, PanelPage } from './panel-page.ts';
import { webviewTheme, withFonts } from './theme.ts';
import { type PanelServer, type ServedPanel, sharedPanelServer } from './webview.ts';

/** The default media preferences. */
const NO_MEDIA = { colorScheme: null, contrast: null, forcedColors: null, media: null, reducedMotion: null };

/** A browser page that shows one panel after another: opening a new page takes twice as long. */
export class PanelTab {
  private shown: { readonly panel: PanelPage; readonly served: ServedPanel } | undefined;
  private number = 0;

  private readonly address: string;

  private constructor(
    readonly page: Page,
    server: PanelServer,
  ) {
    this.address = server.add(() => this.shown?.served);
    page.context().on('request', (request) => {
      const { origin, href } = new URL(request.url());
      if (origin !== server.origin) this.shown?.panel.strayRequests.push(href);
    });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.shown?.panel.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.shown?.panel.complaints.push(error.stack ?? error.message));
  }

  static async open(context: BrowserContext): Promise<PanelTab> {
    const tab = new PanelTab(await context.newPage(), await sharedPanelServer());
    await tab.page.exposeFunction('panelPosted', (panel: string | undefined, message: unknown) => {
      // Ignore messages that are still arriving from the previous panel.
      if (panel === String(tab.number)) tab.shown?.panel.take(message);
    });
    await tab.page.addInitScript(provideVsCode);
    return tab;
  }

  async show(options: PanelOptions = {}): Promise<PanelPage> {
    const { page } = this;
    if (options.at !== undefined) await page.clock.setFixedTime(options.at);
    const media = { ...(options.at !== undefined && { reducedMotion: 'reduce' as const }), ...options.media };
    await page.emulateMedia({ ...NO_MEDIA, ...media });
    await page.setViewportSize({ width: options.width ?? 300, height: options.height ?? 700 });
    // An element under the pointer would look different.
    if (this.number > 0) await page.mouse.move(-10, -10);
    const theme = webviewTheme(options.theme ?? 'dark');
    const panel = new PanelPage(page, this.address, options);
    this.shown = {
      panel,
      served: {
        number: ++this.number,
        theme: options.at === undefined ? theme : withFonts(theme),
        carried: options.carried,
        language: options.language,
      },
    };
    await page.goto(this.address);
    await panel.begun();
    return panel;
  }
}
