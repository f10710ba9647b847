import { createRequire } from 'node:module';
import * as vscode from 'vscode';

type Functions = Record<string, unknown>;

/** What may be registered once only, and is by the extension that runs beside the tests. */
const ONLY_ONCE = new Set([
  'registerCommand',
  'registerTextEditorCommand',
  'registerWebviewViewProvider',
  'registerWebviewPanelSerializer',
  'registerUriHandler',
  'registerFileSystemProvider',
  'registerTextDocumentContentProvider',
  'registerTool',
  'createChatParticipant',
]);

/**
 * Keeps account of everything that is asked of VS Code and has to be given back: listeners, registrations, and things that
 * were created. A listener of an emitter counts until one of them is disposed.
 */
export class Ledger {
  /** All that was ever asked for. */
  total = 0;
  readonly viewProviders = new Map<string, vscode.WebviewViewProvider>();
  private readonly open = new Map<object, string>();
  private readonly restoring: (() => void)[] = [];

  constructor() {
    const { chat, commands, comments, extensions, languages, lm, scm, tasks, window, workspace, env, debug } = vscode;
    for (const namespace of [
      chat,
      commands,
      comments,
      extensions,
      languages,
      lm,
      scm,
      tasks,
      window,
      workspace,
      env,
      debug,
    ]) {
      for (const name of Object.keys(namespace)) this.watch(namespace as unknown as Functions, name);
    }
    this.watchEmitters();
  }

  /** What was not given back, with how often. */
  outstanding(): readonly string[] {
    const counts = new Map<string, number>();
    for (const name of this.open.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts].map(([name, count]) => `${name}: ${count}`).sort();
  }

  forget(): void {
    this.open.clear();
    this.total = 0;
  }

  restore(): void {
    for (const restore of this.restoring.splice(0)) restore();
  }

  private watch(namespace: Functions, name: string): void {
    if (!/^(on[A-Z]|register|create)/.test(name)) return;
    const before = Object.getOwnPropertyDescriptor(namespace, name);
    const real = namespace[name];
    if (typeof real !== 'function' || before?.configurable === false) return;
    const watched = (...args: readonly unknown[]): unknown => {
      if (name === 'registerWebviewViewProvider') {
        this.viewProviders.set(String(args[0]), args[1] as vscode.WebviewViewProvider);
      }
      const made: unknown = ONLY_ONCE.has(name) ? { dispose: () => undefined } : Reflect.apply(real, namespace, args);
      return isDisposable(made) ? this.account(made, labelOf(name, args)) : made;
    };
    Object.defineProperty(namespace, name, { value: watched, configurable: true, writable: true });
    this.restoring.push(() => {
      if (before) Object.defineProperty(namespace, name, before);
    });
  }

  private watchEmitters(): void {
    const { EventEmitter } = vscode;
    const { open } = this;
    const account = (listener: vscode.Disposable): vscode.Disposable => this.account(listener, 'EventEmitter');
    class WatchedEmitter<T> extends EventEmitter<T> {
      constructor() {
        super();
        const { event, dispose } = this;
        const listeners: vscode.Disposable[] = [];
        let isDisposed = false;
        const listen: vscode.Event<T> = (...about) => {
          // VS Code listens to a terminal that is closed already, and nothing keeps that listener.
          if (isDisposed) return event(...about);
          const made = account(event(...about));
          listeners.push(made);
          return made;
        };
        Object.defineProperty(this, 'event', { value: listen });
        this.dispose = () => {
          isDisposed = true;
          for (const listener of listeners.splice(0)) open.delete(listener);
          dispose.call(this);
        };
      }
    }
    // What is imported are getters over this object.
    const api = createRequire(__filename)('vscode') as { EventEmitter: typeof EventEmitter };
    api.EventEmitter = WatchedEmitter;
    this.restoring.push(() => {
      api.EventEmitter = EventEmitter;
    });
  }

  /** It counts until it is disposed. */
  account<T extends vscode.Disposable>(given: T, label: string): T {
    // Those for decorations are frozen; VS Code goes by what they hold.
    const made = Object.isFrozen(given) ? { ...given } : given;
    this.total += 1;
    this.open.set(made, label);
    const dispose = made.dispose.bind(made);
    made.dispose = () => {
      this.open.delete(made);
      return dispose();
    };
    return made;
  }
}

function labelOf(name: string, [first]: readonly unknown[]): string {
  return typeof first === 'string' ? `${name} ${first}` : name;
}

function isDisposable(value: unknown): value is vscode.Disposable {
  return typeof value === 'object' && value !== null && 'dispose' in value && typeof value.dispose === 'function';
}
