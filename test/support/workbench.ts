import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Frame, FrameLocator, Locator, Page } from 'playwright-core';
import { eventually } from './poll.ts';
import { resultsDir } from './repo.ts';
import { isRunOfJourneys } from './test-size.ts';
import type { VsCodeServer, WindowTarget } from './vscode/server.ts';

export type ColorTheme = 'dark' | 'light' | 'hc-dark' | 'hc-light';

/** The theme's name in the theme picker, and its class on the workbench. */
const themes: Readonly<Record<ColorTheme, { readonly label: string; readonly className: string }>> = {
  dark: { label: 'Dark Modern', className: 'vs-dark' },
  light: { label: 'Light Modern', className: 'vs' },
  'hc-dark': { label: 'Dark High Contrast', className: 'hc-black' },
  'hc-light': { label: 'Light High Contrast', className: 'hc-light' },
};

/** Opening took 3 to 6 s; two busy cores can triple that. */
const openTimeoutMs = 45_000;

/**
 * A VS Code window, driven as a user does. `page` is Playwright's, for everything that has no method here.
 *
 * ```ts
 * const workbench = await bench.open({ folder });
 * const chat = await workbench.openChat();
 * await chat.getByRole('textbox', { name: 'Message' }).fill('Hello');
 * await chat.getByRole('button', { name: 'Send' }).click();
 * ```
 */
export class Workbench {
  private readonly consoleLines: string[] = [];

  constructor(
    readonly page: Page,
    readonly server: VsCodeServer,
  ) {
    page.on('console', (message) => this.consoleLines.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => this.consoleLines.push(`uncaught: ${error.stack ?? error.message}`));
  }

  /** Loads the window and waits until it has the extension's contributions. Without a target, it is an empty window. */
  async open(target: WindowTarget = {}): Promise<void> {
    await this.page.goto(this.server.urlFor(target), { waitUntil: 'commit' });
    await this.waitUntilReady();
  }

  /** Reloads the window as F5 in a browser or "Developer: Reload Window" does. */
  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'commit' });
    await this.waitUntilReady();
  }

  /** Runs a command by its palette title, such as `Gantry: New Session`. Returns as soon as the palette accepted it. */
  async runCommand(title: string): Promise<void> {
    const input = this.quickInput;
    const row = this.option(title);
    await eventually(
      `"${title}" in the command palette`,
      async () => {
        // An open palette keeps its list from when it was opened, and F1 does not reopen it.
        if (await input.isVisible()) await input.press('Escape');
        // The first presses may come before the key bindings are registered, or while another pick is closing.
        await this.page.keyboard.press('F1');
        await input.waitFor({ state: 'visible', timeout: 1_000 });
        if (!(await input.inputValue()).startsWith('>')) return false;
        await input.fill(`>${title}`);
        // After a reload, an extension's commands may appear later than its view.
        await row.waitFor({ timeout: 3_000 });
        return true;
      },
      { timeoutMs: 30_000 },
    );
    await row.click();
    await eventually(`the palette to take "${title}"`, async () => {
      return !(await input.isVisible()) || !(await input.inputValue()).startsWith('>');
    });
  }

  /** The current chat panel. It remains usable after hide, show and reload. */
  get chat(): FrameLocator {
    return this.page.frameLocator(chatIframe).frameLocator('#active-frame');
  }

  /** Opens the chat view with its command and waits until its message box has the focus, as the command promises. */
  async openChat(): Promise<FrameLocator> {
    await this.runCommand('Gantry: Open Chat');
    const box = this.chat.getByRole('textbox', { name: 'Message' });
    await box.waitFor({ timeout: 20_000 });
    await eventually('the focus in the message box', () => box.evaluate((element) => element.matches(':focus')));
    return this.chat;
  }

  /** The chat panel's own frame, for `evaluate`. Hiding the view destroys it, so get it again after each show. */
  async chatFrame(): Promise<Frame> {
    return eventually('the chat frame', async () => {
      const handle = await this.chat.owner().elementHandle({ timeout: 1_000 });
      return (await handle?.contentFrame()) ?? undefined;
    });
  }

  /** Shows another view in place of the chat, which destroys its page as a user's click on the Explorer does. */
  async hideChat(): Promise<void> {
    await this.runCommand('View: Show Explorer');
    await this.page.locator(chatIframe).waitFor({ state: 'detached' });
  }

  /** Makes the side bar this wide, in CSS pixels, by dragging its edge. */
  async setSideBarWidth(width: number): Promise<void> {
    const sideBar = this.page.locator('[id="workbench.parts.sidebar"]');
    await eventually(`a side bar of ${width} px`, async () => {
      const box = await boxOf(sideBar);
      if (Math.abs(box.width - width) <= 1) {
        return true;
      }
      const sash = await this.sashNear(box.x + box.width);
      const y = box.y + box.height / 2;
      await this.page.mouse.move(sash, y);
      await this.page.mouse.down();
      await this.page.mouse.move(sash + width - box.width, y, { steps: 4 });
      await this.page.mouse.up();
      return false;
    });
  }

  /** Chooses the theme as a user does. Later windows of the suite keep it until settings are written. */
  async setTheme(theme: ColorTheme): Promise<void> {
    const { label, className } = themes[theme];
    await this.runCommand('Preferences: Color Theme');
    await this.pick(label);
    await this.page.locator(`.monaco-workbench.${className}`).waitFor();
  }

  /** Chooses an entry of the open quick pick, by its label. */
  async pick(label: string): Promise<void> {
    await this.quickInput.fill(label);
    await this.option(label).click();
    await eventually(`the pick of "${label}"`, async () => !(await this.option(label).isVisible()));
  }

  /** Opens a file of the folder in a focused editor, with the cursor at its beginning. */
  async openFile(name: string): Promise<void> {
    // The file's name is followed by its folder.
    const row = this.page.locator('.quick-input-widget').getByRole('option', { name }).first();
    await eventually(
      `"${name}" in the list of files`,
      async () => {
        // A list that was opened before the extension host could search stays empty, whatever is typed.
        if (await this.quickInput.isVisible()) await this.quickInput.press('Escape');
        await this.runCommand('Go to File...');
        await this.quickInput.fill(name);
        await row.waitFor({ timeout: 3_000 });
        return true;
      },
      { timeoutMs: 30_000 },
    );
    await row.click();
    await this.page.getByRole('tab', { name }).waitFor();
    await this.page.locator('.monaco-editor.focused').waitFor();
  }

  /** The text field of the open quick pick or input box. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget .quick-input-box input');
  }

  /** In a server with `trust: 'ask'`, changes the window from Restricted Mode to trusted. */
  async grantTrust(): Promise<void> {
    const editor = this.page.locator('.workspace-trust-editor');
    if (!(await editor.isVisible())) {
      await this.runCommand('Workspaces: Manage Workspace Trust');
    }
    await editor.getByRole('button', { name: 'Trust', exact: true }).click();
    await this.page.locator('.workspace-trust-editor.trusted').waitFor();
  }

  /**
   * Trusts the parent folder while the chat is open. In 1.139, the trust editor no longer has "Trust Parent": only the
   * prompt at the start of a window offers it.
   */
  async trustParent(): Promise<void> {
    if (this.server.release === 'oldest') {
      await this.runCommand('Workspaces: Manage Workspace Trust');
      await this.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust Parent' }).click();
      return;
    }
    await this.server.writeUserSettings({ 'security.workspace.trust.startupPrompt': 'always' });
    await this.reload();
    await this.chat.getByRole('textbox', { name: 'Message' }).waitFor();
    const question = this.page.getByRole('dialog').filter({ hasText: 'Do you trust the authors' });
    await question.getByRole('checkbox', { name: 'in the parent folder' }).check();
    await question.getByRole('button', { name: 'Yes, I trust the authors' }).click();
  }

  /**
   * Moves the focus away from the window, which a browser without a desktop does only by minimizing it. Its content can
   * still be read. Returns a function that returns to the window.
   */
  async leave(): Promise<() => Promise<void>> {
    const devTools = await this.page.context().newCDPSession(this.page);
    // Playwright makes every page believe that it has the focus.
    await devTools.send('Emulation.setFocusEmulationEnabled', { enabled: false });
    const { windowId } = await devTools.send('Browser.getWindowForTarget');
    const put = async (windowState: 'minimized' | 'normal', hasFocus: boolean): Promise<void> => {
      await devTools.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
      await eventually('the change of focus', () => this.page.evaluate((has) => document.hasFocus() === has, hasFocus));
    };
    await put('minimized', false);
    return () => put('normal', true);
  }

  /** Gantry's entry in the status bar. */
  get statusItem(): Locator {
    return this.page.locator('[id="gantry.gantry.gantry.status"]');
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast').filter({ hasText: text });
  }

  async dismissNotifications(): Promise<void> {
    await this.runCommand('Notifications: Clear All Notifications');
    await this.page.locator('.notification-toast').first().waitFor({ state: 'detached' });
  }

  /** Writes `test-results/screenshots/<release>/<name>.png`, except in `npm test`, whose pictures nobody looks at. */
  async screenshot(name: string): Promise<void> {
    if (isRunOfJourneys) return;
    await this.screenshotTo(join(resultsDir, 'screenshots', this.server.release, `${name}.png`));
  }

  async screenshotTo(path: string): Promise<string> {
    await mkdir(dirname(path), { recursive: true });
    await this.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    return path;
  }

  /** The browser console output of the page and its webviews, including uncaught errors. */
  console(): readonly string[] {
    return this.consoleLines;
  }

  /** The middle of the draggable edge. Newer versions leave a gap between the parts, and the edge is in the gap. */
  private async sashNear(x: number): Promise<number> {
    const sashes = await this.page.locator('.monaco-sash.vertical:not(.disabled)').all();
    const boxes = await Promise.all(sashes.map((sash) => sash.boundingBox()));
    const centres = boxes.filter((box) => box !== null).map((box) => box.x + box.width / 2);
    return centres.reduce((best, centre) => (Math.abs(centre - x) < Math.abs(best - x) ? centre : best), x + 1000);
  }

  /** An entry of the quick pick. Its accessible name continues after a comma (key binding, "recently used"). */
  private option(label: string): Locator {
    const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return this.page.getByRole('option', { name: new RegExp(`^${escaped}(,|$)`, 'i') }).first();
  }

  private async waitUntilReady(): Promise<void> {
    await this.page.locator('.activitybar').getByRole('tab', { name: 'Gantry' }).waitFor({ timeout: openTimeoutMs });
    await this.page.locator('.part.statusbar').waitFor();
  }
}

/** Not restricted to `purpose=webviewView`: VS Code omits that when it recreates the frame after hide and show. */
const chatIframe = 'iframe.webview[src*="extensionId=gantry.gantry"]';

async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (box === null) {
    throw new Error('The side bar is not visible.');
  }
  return box;
}
