import * as vscode from 'vscode';

type Window = typeof vscode.window;

/** Puts the test in the place of the user, who cannot be made to pick and press inside of the extension host. */
export class WindowAnswers {
  /** What was asked, in order. */
  readonly asked: { readonly items: readonly vscode.QuickPickItem[]; readonly options?: vscode.QuickPickOptions }[] =
    [];
  readonly said: string[] = [];
  private readonly before: Partial<Window> = {};

  /** Each list is answered by what `pick` makes of its items. */
  picking(pick: (items: readonly vscode.QuickPickItem[]) => unknown): void {
    this.replace('showQuickPick', (items: readonly vscode.QuickPickItem[], options?: vscode.QuickPickOptions) => {
      this.asked.push({ items, ...(options && { options }) });
      return Promise.resolve(pick(items));
    });
  }

  /** Lists that are made and filled by hand are shown as they are, and told of. */
  following(made: (pick: vscode.QuickPick<vscode.QuickPickItem>) => void): void {
    const create = vscode.window.createQuickPick.bind(vscode.window);
    this.replace('createQuickPick', () => {
      const pick = create();
      made(pick);
      return pick;
    });
  }

  /** Each text field gets this text. What it says of the text is noted. */
  typing(text: string): void {
    this.replace('showInputBox', async (options: vscode.InputBoxOptions = {}) => {
      const said = await options.validateInput?.(text);
      this.said.push(typeof said === 'string' ? said : (said?.message ?? ''));
      return text;
    });
  }

  /** Each message is answered with the button of this name. */
  pressing(button: string | undefined): void {
    this.messages(() => Promise.resolve(button));
  }

  /** Messages stay open, and nobody presses anything. */
  leaving(): void {
    this.messages(() => new Promise<never>(() => undefined));
  }

  private messages(answer: () => Promise<string | undefined>): void {
    for (const kind of ['showErrorMessage', 'showWarningMessage', 'showInformationMessage'] as const) {
      this.replace(kind, (text: string, options?: unknown) => {
        const detail = typeof options === 'object' && options !== null && 'detail' in options ? options.detail : '';
        this.said.push(`${text}\n${detail}`.trim());
        return answer();
      });
    }
  }

  restore(): void {
    Object.assign(vscode.window, this.before);
  }

  private replace(
    name: keyof Window & (`show${string}Message` | `${string}QuickPick` | 'showInputBox'),
    by: unknown,
  ): void {
    if (!(name in this.before)) Object.assign(this.before, { [name]: vscode.window[name] });
    Object.assign(vscode.window, { [name]: by });
  }
}
