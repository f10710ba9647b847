import type { Tool } from '../../extension/ports/tool.ts';
import { SessionMcp } from '../../extension/runtime/calls/session-mcp.ts';
import { ModeAwareToolset } from '../../extension/runtime/request/to-adk-tool.ts';
import { ToolRegistry } from '../../extension/tools/registry.ts';
import { desk } from '../support/desk.ts';
import { mcpServers } from '../support/mcp/servers.ts';
import { stdio } from '../support/mcp/stdio.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testHost } from '../support/test-host.ts';
import { median, milliseconds } from './statistics.ts';

const SERVERS = 10;
const TURNS = 200;

export interface McpCost {
  readonly tools: number;
  /** What a turn of one step takes longer, in ms (median). */
  readonly turn: number;
  /** The same for the first one, which makes the tools. */
  readonly firstTurn: number;
  /** Until a session can begin while none of the servers answers, in ms. */
  readonly begin: number;
}

/** What servers cost that are there and have nothing to do. */
export async function measureMcp(): Promise<McpCost> {
  const folder = await tempFolder('bench-mcp');
  const named = (manner: string) =>
    Object.fromEntries(Array.from({ length: SERVERS }, (_, at) => [`s${at}`, stdio(manner)]));
  const ready = mcpServers(named('twenty'), { root: folder.path });
  const silent = mcpServers(named('hangs'), { root: folder.path });
  try {
    const begin = await milliseconds(() => silent.servers.refresh());
    await ready.servers.refresh();
    await Promise.all(ready.servers.servers.map(({ settled }) => settled));
    const host = testHost({ roots: [folder.path] });
    const none: readonly Tool[] = [];
    const session = new SessionMcp({ servers: ready.servers, host, warn: () => undefined });
    const toolset = new ModeAwareToolset(
      new ToolRegistry(none, [ready.servers]),
      desk(none).scheduler,
      host.workspace,
      () => 'default',
    );
    const turn = async (): Promise<void> => {
      await session.prepare();
      for (const tool of await toolset.getTools()) tool._getDeclaration();
    };
    const firstTurn = await milliseconds(turn);
    const times: number[] = [];
    for (let count = 0; count < TURNS; count++) times.push(await milliseconds(turn));
    return { tools: ready.servers.tools().length, turn: median(times), firstTurn, begin };
  } finally {
    await ready.servers.dispose();
    await silent.servers.dispose();
    await folder.dispose();
  }
}
