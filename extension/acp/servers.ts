import type { McpServer } from '@agentclientprotocol/sdk';

/** The MCP servers that the client names, in the format of Gemini CLI's settings. */
export function serverSetting(servers: readonly McpServer[]): Record<string, unknown> {
  return Object.fromEntries(servers.map((server) => [server.name, settingOf(server)]));
}

function settingOf(server: McpServer): Record<string, unknown> {
  if ('command' in server) return { command: server.command, args: server.args, env: byName(server.env) };
  const headers = byName(server.headers);
  return server.type === 'sse' ? { url: server.url, type: 'sse', headers } : { httpUrl: server.url, headers };
}

function byName(values: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}
