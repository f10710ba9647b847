import { afterEach, beforeEach } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { type AgentSuite, useAgent } from '../agent.ts';
import { all, answer, message, outline } from '../conversation.ts';
import { invoke, Subagents } from '../subagents.ts';
import type { TestHostOptions } from '../test-host.ts';
import { VirtualTime } from '../virtual-time.ts';
import { type A2aSite, type A2aSiteOptions, startA2aSite, type Work } from './a2a-site.ts';

export interface RemoteSuite {
  readonly agent: AgentSuite;
  readonly agents: Subagents;
  readonly time: VirtualTime;
  /** Starts an agent that works like this. */
  site(work: Work, options?: A2aSiteOptions): Promise<A2aSite>;
  /** Defines the user's agent "far", which is at this site unless the lines say otherwise. */
  define(site: Pick<A2aSite, 'cardUrl'>, ...lines: readonly string[]): Promise<void>;
  /** Opens a window. Without approvals, unless the options say otherwise. */
  open(options?: TestHostOptions): AgentService;
  /** The model hands the task "Look" to "far", and the conversation ends. */
  run(service?: AgentService): Promise<Handed>;
  /** What became of the call of a session. */
  handed(session: AgentSession): Handed;
}

export interface Handed {
  readonly session: AgentSession;
  /** What the model got: the report, or the error. */
  readonly result: string;
  /** The agent's thread. */
  readonly thread: readonly string[];
}

/** Call this inside `describe`. */
export function useRemoteAgents(): RemoteSuite {
  const agent = useAgent();
  const agents = new Subagents(agent);
  let sites: A2aSite[] = [];
  let time = new VirtualTime();
  beforeEach(() => {
    sites = [];
    time = new VirtualTime();
  });
  afterEach(async () => {
    for (const site of sites) await site.dispose();
  });
  const suite: RemoteSuite = {
    agent,
    agents,
    get time() {
      return time;
    },
    site: async (work, options) => {
      const site = await startA2aSite(work, options);
      sites.push(site);
      return site;
    },
    define: (site, ...lines) =>
      agents.define(
        'far',
        'kind: remote',
        ...(lines.some(isAboutCard) ? [] : [`agent_card_url: ${site.cardUrl}`]),
        ...lines,
      ),
    open: (options) => agents.open([], { approvalMode: 'yolo', alarm: time.alarm, ...options }),
    run: async (service = suite.open()) => {
      agents.script('Go', invoke('far', 'Look'), 'Thanks.');
      const session = await service.createSession();
      await all(session, message('Go'));
      return suite.handed(session);
    },
    handed: (session) => ({
      session,
      result: String(Object.values(JSON.parse(agents.resultsOf('Go').at(-1) ?? '{}'))[0]),
      thread: outline(session.events.filter(({ threadId }) => threadId !== undefined)),
    }),
  };
  return suite;
}

/** Answers all approvals of calls. */
export function approveAll(session: AgentSession): void {
  session.subscribe((event) => {
    if (event.type === 'elicitation_request') void session.send(answer(event.requestId, 'accept'));
  });
}

function isAboutCard(line: string): boolean {
  return line.startsWith('agent_card_');
}
