import type * as vscode from 'vscode';
import { Disposable } from './disposable.ts';

/** A feature with its own bundle (build/surface-later.mjs), loaded on first use. */
export class LazyPart<Part extends vscode.Disposable> extends Disposable {
  private made: Promise<Part> | undefined;

  constructor(private readonly make: () => Promise<Part>) {
    super();
  }

  load(): Promise<Part> {
    this.made ??= this.make().then((part) => this.register(part));
    // If the bundle could not be loaded, the next call tries again.
    this.made.catch(() => {
      this.made = undefined;
    });
    return this.made;
  }
}
