import { resolve } from 'node:path';
import { createShell } from '../../extension/processes/shell/create-shell.ts';
import { ProcessTable } from '../../extension/processes/shell/process-table.ts';
import type { ToolParts } from '../../extension/tools/product-tools.ts';

/** The dependencies of the product's tools, all real except for the model. */
export function toolParts(changes: Partial<ToolParts> = {}): ToolParts {
  const assets = resolve('out/assets');
  return {
    assets,
    shell: createShell(assets, () => process.env),
    processes: new ProcessTable(),
    generate: () => Promise.reject(new Error('There is no model here.')),
    ...changes,
  };
}
