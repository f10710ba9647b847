import type * as vscode from 'vscode';
import { Disposable } from './disposable.ts';

/** A feature with a bundle of its own (build/surface-later.mjs), made when somebody needs it. */
export class LazyPart<Part extends vscode.Disposable> extends Disposable {
  private made: Promise<Part> | undefined;

  constructor(private readonly make: () => Promise<Part>) {
    super();
  }

  load(): Promise<Part> {
    this.made ??= this.make().then((part) => this.register(part));
    // A bundle that could not be read is tried again by the next one who needs it.
    this.made.catch(() => {
      this.made = undefined;
    });
    return this.made;
  }
}
