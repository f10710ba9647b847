/** Figures that belong together, such as those of two programs, by name and in the unit of their measurement. */
export type Figures = Readonly<Record<string, number>>;

export interface Budget {
  readonly atMost?: number;
  readonly atLeast?: number;
  /** The figures that the budget limits; all of them by default. */
  readonly of?: readonly string[];
  /** The budget limits ratios to this figure of the same run, which hold on any machine. */
  readonly per?: string;
}

export interface Measurement {
  readonly name: string;
  readonly unit: string;
  /** Without a budget, the figures are only shown. */
  readonly budget?: Budget;
  /** Returns a text if this machine cannot measure it: the reason. */
  measure(): Figures | string | Promise<Figures | string>;
}

export interface Verdict {
  /** The figure or ratio that is furthest from its budget. */
  readonly worst: number;
  readonly ok: boolean;
}

export function judge(figures: Figures, { of = Object.keys(figures), per, ...limits }: Budget): Verdict {
  const { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = limits;
  const figure = (name: string): number => figures[name] ?? Number.NaN;
  const values = of.map((name) => figure(name) / (per === undefined ? 1 : figure(per)));
  const worst = limits.atMost === undefined ? Math.min(...values) : Math.max(...values);
  // A figure that is missing is not within its budget.
  return { worst, ok: worst <= atMost && worst >= atLeast };
}
