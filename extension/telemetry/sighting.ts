import type { FiredHooks } from '../hooks/hook-system.ts';
import type { Tier } from '../policy/policy-types.ts';
import type { CompactionStatus, CompactionTrigger } from '../protocol/agent/compaction.ts';

/** What happens in a session and the records don't tell. Times are milliseconds of the host's clock. */
export type Sighting =
  /** The rules decided about a call. Without a rule, a gate or a default did. */
  | { readonly kind: 'decided'; readonly callId: string; readonly tier: Tier | undefined }
  | ({ readonly kind: 'hooks' } & FiredHooks)
  | {
      readonly kind: 'compaction';
      readonly trigger: CompactionTrigger;
      readonly status: CompactionStatus;
      readonly from: number;
      readonly to: number;
    }
  /** Tokens of old outputs that a request left out. */
  | { readonly kind: 'masked'; readonly tokens: number };
