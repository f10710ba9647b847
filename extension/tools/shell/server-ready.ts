/** Messages of servers and watchers that are ready. */
const READY: readonly RegExp[] = [
  /\blistening (?:on|at|to)\b/i,
  /\b(?:server|app|application|dev server|api)\b.{0,40}\b(?:running|started|ready|live|up|available)\b/i,
  /\b(?:running|serving|started|available|served|live|ready) (?:on|at|from)\b.{0,40}(?:https?:\/\/|:\d{2,5}\b)/i,
  /^\W*(?:local|network|loopback)\s*:\s+https?:\/\//im,
  /\bServing HTTP on\b/i,
  /\bready in \d/i,
  /\bcompiled (?:successfully|in|client and server)\b/i,
  /\bwatching for (?:file )?changes\b/i,
  /\bwaiting for (?:file )?changes\b/i,
  /\bwatching (?:path|extensions|files|directories)\b/i,
  /\b(?:press|hit|type) (?:ctrl|control|\^)\s?[+-]?\s?c to (?:quit|stop|exit)\b/i,
];

const ADDRESS =
  /\bhttps?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[[0-9a-f:]+\]|[\w.-]+)(?::\d{1,5})?(?:\/[^\s'"<>()]*)?/i;

export interface ReadyServer {
  /** The address, if the output names one. */
  readonly url: string | undefined;
}

/** Whether this is the output of a server or watcher that is ready and keeps running. */
export function serverReady(output: string): ReadyServer | undefined {
  if (!READY.some((pattern) => pattern.test(output))) return undefined;
  return { url: ADDRESS.exec(output)?.[0].replace(/[.,;:]+$/, '') };
}
