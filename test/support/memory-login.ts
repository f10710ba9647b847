import type { LoginStore } from '../../extension/ports/host.ts';

/** A secret storage that lasts as long as the test. */
export class MemoryLogin implements LoginStore {
  constructor(public text?: string) {}

  read(): Promise<string | undefined> {
    return Promise.resolve(this.text);
  }

  replace(expected: string, text: string): Promise<void> {
    if (this.text === expected) this.text = text;
    return Promise.resolve();
  }
}
