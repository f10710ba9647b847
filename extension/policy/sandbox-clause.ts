import * as z from 'zod';
import { once } from '../base/once.ts';

/**
 * What a project's file requests for the sandbox of a program that it starts: `false` for no sandbox, or what the
 * program needs in addition to the open folders. The user approves it together with the program.
 */
export const sandboxClause = once(() =>
  z.union([
    z.literal(false),
    z.strictObject({
      /** The only hosts that the program may reach. Without the list, it may reach all hosts. */
      network: z.array(z.string()).optional(),
      /** Additional folders that the program may write to. */
      folders: z.array(z.string()).optional(),
    }),
  ]),
);

export type SandboxClause = z.infer<ReturnType<typeof sandboxClause>>;
