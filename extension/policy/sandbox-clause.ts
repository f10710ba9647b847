import { z } from 'zod';

/**
 * What a project's file says about the sandbox of a program that it starts: `false` for none, or what the program needs
 * besides the open folders. The user approves it together with the program.
 */
export const sandboxClause = z.union([
  z.literal(false),
  z.strictObject({
    /** The only hosts that it may reach. Without the list it may reach all of them. */
    network: z.array(z.string()).optional(),
    /** Further folders that it may write to. */
    folders: z.array(z.string()).optional(),
  }),
]);

export type SandboxClause = z.infer<typeof sandboxClause>;
