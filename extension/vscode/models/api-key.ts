import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

const SECRET = 'gantry.geminiApiKey';

/** The Gemini API key in VS Code's secret storage. It is never in settings, state or logs. */
export class StoredApiKey {
  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly remembered: Pick<vscode.SecretStorage, 'get'>,
  ) {}

  get onDidChange(): vscode.Event<unknown> {
    return this.secrets.onDidChange;
  }

  async apiKey(): Promise<string | undefined> {
    return (await this.remembered.get(SECRET)) || undefined;
  }

  /** Asks for a key. Leaving the box empty removes the current key. */
  async ask(): Promise<void> {
    const present = (await this.apiKey()) !== undefined;
    const typed = await vscode.window.showInputBox({
      title: l10n.t('Gantry: Set API Key'),
      prompt: present
        ? l10n.t('A key is set. Paste another to replace it, or leave this empty and press Enter to remove it.')
        : l10n.t("Paste a Gemini API key. It is kept in VS Code's secret storage."),
      placeHolder: l10n.t('Gemini API key'),
      password: true,
      ignoreFocusOut: true,
      validateInput: (value) => problemWith(value),
    });
    if (typed === undefined) return;
    const key = typed.trim();
    if (key !== '') await this.secrets.store(SECRET, key);
    else if (present) await this.secrets.delete(SECRET);
  }
}

function problemWith(value: string): string | undefined {
  const key = value.trim();
  if (/\s/.test(key)) return l10n.t("A key can't contain spaces or line breaks.");
  // Header values are Latin-1, so other characters cannot be sent.
  if (/[^\x21-\x7e]/.test(key)) return l10n.t('A key can contain only ASCII letters, digits and punctuation.');
  return undefined;
}
