import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** The chat panel as a user perceives it: by roles and accessible names. */
export class Chat {
  private constructor(private readonly panel: FrameLocator) {}

  static async open(workbench: Workbench): Promise<Chat> {
    return new Chat(await workbench.openChat());
  }

  get input(): Locator {
    return this.panel.getByRole('textbox', { name: 'Message' });
  }

  get conversation(): Locator {
    return this.panel.getByRole('log', { name: 'Conversation' });
  }

  get answers(): Locator {
    return this.conversation.getByRole('article', { name: 'Gantry', exact: true });
  }

  get userMessages(): Locator {
    return this.conversation.getByRole('article', { name: 'You', exact: true });
  }

  get alert(): Locator {
    return this.panel.getByRole('alert');
  }

  get readOnlyBanner(): Locator {
    return this.panel.getByRole('status').filter({ hasText: 'Read-only' });
  }

  get sessions(): Locator {
    return this.panel.getByRole('listbox', { name: 'Sessions' });
  }

  button(name: string): Locator {
    return this.panel.getByRole('button', { name, exact: true });
  }

  tool(name: string): Locator {
    return this.conversation.getByRole('article', { name: `Tool: ${name}`, exact: true });
  }

  /** Chooses an answer in the menu next to "Allow once" or "Reject", after selecting its scope. */
  async answerFromMenu(tool: string, of: 'allow' | 'reject', answer: string, scope?: string): Promise<void> {
    const card = this.tool(tool);
    await card.getByRole('button', { name: `More ways to ${of}`, exact: true }).click();
    const menu = card.getByRole('menu');
    if (scope !== undefined) await menu.getByRole('menuitemradio', { name: scope, exact: true }).click();
    await menu.getByRole('menuitem', { name: answer, exact: true }).click();
  }

  locator(selector: string): Locator {
    return this.panel.locator(selector);
  }

  text(text: string | RegExp): Locator {
    return this.panel.getByText(text);
  }

  /**
   * The accessible name or the text of the focused element in the panel. A toolkit button precedes its inner button.
   */
  async focusedName(): Promise<string> {
    return this.panel
      .locator(':focus')
      .first()
      .evaluate((element) => {
        const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
        return name.trim();
      });
  }

  async send(text: string): Promise<void> {
    await this.input.fill(text);
    await this.button('Send').click();
  }

  /** Sends a message and waits until the run is over: the Send button replaces Stop. */
  async ask(text: string): Promise<void> {
    const before = await this.userMessages.count();
    await this.send(text);
    await this.userMessages.nth(before).waitFor();
    await this.finished();
  }

  async finished(): Promise<void> {
    await this.button('Stop').waitFor({ state: 'detached' });
    await this.button('Send').waitFor();
  }
}
