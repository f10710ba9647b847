import { ServerCallContext } from '@a2a-js/sdk/server';

/** What is known about a request besides its parameters. */
export interface CallFacts {
  /** Aborted when the client has left. Only the response ends. The task continues. */
  readonly signal: AbortSignal;
  /** The last event that the client has seen, from its header `Last-Event-ID`. */
  readonly lastEventId: string | undefined;
  /** The extensions of A2A that the client activates, by their URI. */
  readonly extensions: ReadonlySet<string>;
  /** The span of the client that it works for, from the header of that name. */
  readonly traceparent?: string | undefined;
  /** Called when the parameters were read without an error. */
  readonly reached: () => void;
}

/** A task stays open at the end of a turn, and its next message begins another turn. */
export const CONVERSATION = 'urn:gantry:a2a:conversation';

const KEY = 'gantry';

export function callContext(facts: CallFacts, version: string): ServerCallContext {
  return new ServerCallContext({ requestedVersion: version, state: new Map([[KEY, facts]]) });
}

export function callOf(context: ServerCallContext): CallFacts {
  return context.state.get(KEY) as CallFacts;
}
