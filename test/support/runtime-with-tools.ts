import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { Host } from '../../extension/ports/host.ts';
import type { Tool } from '../../extension/ports/tool.ts';
import { AgentService } from '../../extension/runtime/agent-service.ts';
import { productTools } from '../../extension/tools/product-tools.ts';

/** The entry of a runtime bundle that replaces the product's: the same, with additional tools for tests. */
export function createAgentService(host: Host): AgentService {
  return new AgentService(host, (parts) => [...productTools(parts), writeNote]);
}

const parameters = z.strictObject({ path: z.string(), text: z.string() });

/** Changes a file, so it requires approval, and a rewind can revert the change. */
const writeNote: Tool<typeof parameters> = {
  name: 'write_note',
  displayName: 'WriteNote',
  kind: 'edit',
  description: 'Writes a text file in the workspace.',
  schema: parameters,
  describe: ({ path }) => (typeof path === 'string' ? path : ''),
  execute: async ({ path, text }, { workspace, writeFile }) => {
    const target = isAbsolute(path) ? path : join(workspace.roots()[0] ?? '', path);
    await writeFile(target, Buffer.from(text));
    return { content: `Wrote ${path}.` };
  },
};
