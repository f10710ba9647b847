import * as z from 'zod/mini';

/** How the operating system holds commands back. */
export const SANDBOX_KINDS = ['bubblewrap', 'seatbelt'] as const;
export type SandboxKind = (typeof SANDBOX_KINDS)[number];

const texts = z.readonly(z.array(z.string()));

/** What the sandbox kept a command from. */
export const sandboxBlockSchema = z.strictObject({
  /** Absolute: what it wanted to change. */
  paths: texts,
  /** What it wanted to reach. */
  hosts: texts,
  /** Absolute: the folders of some of the paths, which the user may open to commands. Those of the others stay closed. */
  folders: z.optional(texts),
});

export type SandboxBlock = z.infer<typeof sandboxBlockSchema>;

/** What of it the user can allow, for this session or always. */
export const BLOCKED_KINDS = ['folder', 'host'] as const;
export type BlockedKind = (typeof BLOCKED_KINDS)[number];
