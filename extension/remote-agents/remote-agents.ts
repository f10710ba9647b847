import type { AgentCatalog, ListedAgent } from '../agents/agent-catalog.ts';
import type { RemoteAgent } from '../agents/agent-definition.ts';
import { LruMap } from '../base/lru-map.ts';
import type { Alarm } from '../ports/clock.ts';
import { agentCredentials, type GoogleToken } from './agent-credentials.ts';
import { CardConsents } from './card-consents.ts';
import type { CardFacts, RemoteConnection } from './remote-connection.ts';
import { RemoteFailure } from './remote-failure.ts';
import type { SecretPlaces } from './secret-value.ts';

export interface RemoteAgentsPorts {
  readonly catalog: Pick<AgentCatalog, 'listed'>;
  /** The absolute path of the file with the accepted cards. If undefined, acceptance isn't stored. */
  readonly acceptedFile: string | undefined;
  readonly googleToken: GoogleToken;
  /** Where an agent's credentials come from. */
  readonly placesOf: (agent: ListedAgent) => Omit<SecretPlaces, 'alarm'>;
  readonly alarm: Alarm;
}

/** The call that an agent is used for. */
interface ForCall {
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** Opens remote agents, and remembers which card of each the user agreed to. All sessions share this. */
export class RemoteAgents {
  private readonly consents: CardConsents;
  /** The hashes of the cards that the question about a call showed. */
  private readonly shown = new LruMap<string>(100);
  /** Agents whose card the user must see. The next call is asked about, whatever the rules say. */
  private readonly unseen = new Set<string>();

  constructor(private readonly ports: RemoteAgentsPorts) {
    this.consents = new CardConsents(ports.acceptedFile);
  }

  /** What the question about a call says about the agent. */
  async introduce(agent: RemoteAgent, { callId, signal }: ForCall): Promise<Introduction> {
    const { card } = await this.connect(agent, signal);
    this.shown.set(callId, card.hash);
    const hasChanged = (await this.stateOf(agent, card)) === 'changed';
    return { ...card, hasChanged };
  }

  /** Connects to an agent for a call that was allowed. Rejects if its card isn't the one that the user agreed to. */
  async open(agent: RemoteAgent, { callId, signal }: ForCall): Promise<RemoteConnection> {
    const connection = await this.connect(agent, signal);
    const { card } = connection;
    const state = await this.stateOf(agent, card);
    const hasSeen = this.shown.get(callId) === card.hash;
    const why = hasSeen ? undefined : mustBeSeen(agent, card, state);
    if (why !== undefined) {
      this.unseen.add(agent.name);
      throw new RemoteFailure(
        'card-changed',
        `${why}: requests would go to ${card.url}. Nothing was sent. If you call it again, the user is asked about the card.`,
      );
    }
    if (state !== 'accepted') await this.consents.accept(this.keyOf(agent), card.hash);
    this.unseen.delete(agent.name);
    return connection;
  }

  /** Connects to an agent again, for a task that it works on already. */
  async again(agent: RemoteAgent, signal: AbortSignal): Promise<RemoteConnection> {
    const connection = await this.connect(agent, signal);
    if ((await this.stateOf(agent, connection.card)) === 'accepted') return connection;
    throw new RemoteFailure('card-changed', 'Its agent card has changed since then.');
  }

  /** Whether the user has to be asked about the next call, because of the agent's card. */
  needsConsent(name: string): boolean {
    return this.unseen.has(name);
  }

  private async connect(agent: RemoteAgent, signal: AbortSignal): Promise<RemoteConnection> {
    const { alarm, googleToken, placesOf } = this.ports;
    const listed = this.listed(agent);
    if (!listed) throw new RemoteFailure('card', 'Its definition is not in use any more.');
    const places = { ...placesOf(listed), alarm };
    const { connectTo } = await import('./connection.ts');
    return connectTo(
      agent,
      { alarm, credentials: agentCredentials(agent.auth, { places, googleToken }, signal) },
      signal,
    );
  }

  /** A card in the definition was approved with it. */
  private async stateOf(agent: RemoteAgent, { hash }: CardFacts): Promise<'new' | 'accepted' | 'changed'> {
    return 'json' in agent.card ? 'accepted' : this.consents.stateOf(this.keyOf(agent), hash);
  }

  private keyOf(agent: RemoteAgent): string {
    return `${this.listed(agent)?.file ?? ''}#${agent.name}`;
  }

  private listed(agent: RemoteAgent): ListedAgent | undefined {
    return this.ports.catalog.listed().find(({ definition, unusable }) => definition.name === agent.name && !unusable);
  }
}

/** Why a rule or a mode is not enough to use a card. A definition approves only the host that it names. */
function mustBeSeen(
  { card }: RemoteAgent,
  { url }: CardFacts,
  state: 'new' | 'accepted' | 'changed',
): string | undefined {
  if (state === 'changed') return 'Its agent card has changed since the user agreed to it';
  if (state === 'accepted' || 'json' in card) return undefined;
  const isThere = URL.canParse(url) && new URL(url).origin === new URL(card.url).origin;
  return isThere ? undefined : 'Its agent card names another host than its definition';
}

export interface Introduction extends CardFacts {
  /** The user agreed to another card of this agent. */
  readonly hasChanged: boolean;
}
