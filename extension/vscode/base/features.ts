import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import { Commands } from '../names.ts';
import { Disposable } from './disposable.ts';

/** Returns the feature. Throws if it could not be built, so that features that need it fail as well. */
export type Feature<Built> = () => Built;

class MissingFeature extends Error {
  constructor(readonly feature: string) {
    super(l10n.t('{0} could not start. See the Gantry log for details.', feature));
  }
}

/** Builds features one by one. If one throws, it is reported by name, and features that do not need it still work. */
export class Features extends Disposable {
  private readonly broken: string[] = [];

  constructor(private readonly log: Logger) {
    super();
  }

  build<Built>(name: string, make: () => Built): Feature<Built> {
    try {
      const built = this.make(name, make);
      if (isDisposable(built)) this.register(built);
      return () => built;
    } catch (error) {
      return this.failed(name, error);
    }
  }

  /** Shows one notification for all broken features, because it appears at every start until the cause is fixed. */
  async report(): Promise<void> {
    if (this.broken.length === 0) return;
    const showLog = l10n.t('Show Log');
    const text = l10n.t('Some parts of Gantry could not start: {0}. Everything else works.', this.broken.join(', '));
    if ((await vscode.window.showErrorMessage(text, showLog)) === showLog) {
      await vscode.commands.executeCommand(Commands.showLog);
    }
  }

  protected make<Built>(_name: string, make: () => Built): Built {
    return make();
  }

  private failed(name: string, error: unknown): Feature<never> {
    const cause = error instanceof MissingFeature ? error.feature : name;
    if (cause === name) this.broken.push(name);
    this.log.error(cause === name ? `${name} could not start` : `${name} is off, because it needs ${cause}`, error);
    return () => {
      throw new MissingFeature(cause);
    };
  }
}

function isDisposable(value: unknown): value is vscode.Disposable {
  return typeof value === 'object' && value !== null && 'dispose' in value && typeof value.dispose === 'function';
}
