/** The output of one of several parallel tasks. */
export interface Section {
  readonly write: (line: string) => void;
  /** Ends the section. */
  readonly end: () => void;
}

/**
 * Keeps the lines of each section together, in the order in which the sections were opened: the first open section is
 * written immediately, and the others are buffered until it ends.
 */
export class OrderedOutput {
  private readonly open: { readonly lines: string[]; ended: boolean }[] = [];

  constructor(private readonly print: (line: string) => void) {}

  section(): Section {
    const section: { readonly lines: string[]; ended: boolean } = { lines: [], ended: false };
    this.open.push(section);
    return {
      write: (line) => {
        section.lines.push(line);
        this.flush();
      },
      end: () => {
        section.ended = true;
        this.flush();
      },
    };
  }

  private flush(): void {
    for (let first = this.open[0]; first !== undefined; first = this.open[0]) {
      for (const line of first.lines.splice(0)) this.print(line);
      if (!first.ended) return;
      this.open.shift();
    }
  }
}
