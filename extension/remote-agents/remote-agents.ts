import type { AgentCatalog, ListedAgent } from '../agents/agent-catalog.ts';
import type { RemoteAgent } from '../agents/agent-definition.ts';
import { LruMap } from '../base/lru-map.ts';
import type { SignInBrowser } from '../mcp/connection-types.ts';
import type { Alarm } from '../ports/clock.ts';
import type { McpLoginStore } from '../ports/host.ts';
import { agentCredentials, type GoogleToken, loginCredentials } from './agent-credentials.ts';
import { type AgentLogin, AgentLogins, type OAuth } from './agent-logins.ts';
import { CardConsents } from './card-consents.ts';
import type { Credentials, FetchGuards } from './guarded-fetch.ts';
import type { CardFacts, RemoteConnection } from './remote-connection.ts';
import { RemoteFailure } from './remote-failure.ts';
import { type SecretPlaces, secretValue } from './secret-value.ts';

export interface RemoteAgentsPorts {
  readonly catalog: Pick<AgentCatalog, 'listed'>;
  /** The absolute path of the file with the accepted cards. If undefined, acceptance isn't stored. */
  readonly acceptedFile: string | undefined;
  readonly googleToken: GoogleToken;
  /** Where logins are stored. If undefined, nobody can sign in. */
  readonly logins: McpLoginStore | undefined;
  /** Where an agent's credentials come from. */
  readonly placesOf: (agent: ListedAgent) => Omit<SecretPlaces, 'alarm'>;
  readonly alarm: Alarm;
}

/** The call that an agent is used for. */
interface ForCall {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly traceparent?: FetchGuards['traceparent'];
}

/** Opens remote agents, and remembers which card of each the user agreed to. All sessions share this. */
export class RemoteAgents {
  private readonly consents: CardConsents;
  private readonly logins: AgentLogins;
  /** The hashes of the cards that the question about a call showed. */
  private readonly shown = new LruMap<string>(100);
  /** Agents whose card the user must see. The next call is asked about, whatever the rules say. */
  private readonly unseen = new Set<string>();

  constructor(private readonly ports: RemoteAgentsPorts) {
    this.consents = new CardConsents(ports.acceptedFile);
    this.logins = new AgentLogins(ports.logins);
  }

  /** The names of agents that people sign in to. */
  get withSignIn(): readonly string[] {
    return this.ports.catalog.listed().flatMap((agent) => (oauthOf(agent) ? agent.definition.name : []));
  }

  /** Where the sign-in page of an agent returns to, if its definition says so: some clients are registered with one address. */
  redirectUri(name: string): string | undefined {
    return this.loginFor(name, new AbortController().signal).login.auth.redirect_uri;
  }

  /** Guides the user through the sign-in of an agent. Rejects if it fails. */
  async signIn(name: string, browser: SignInBrowser, signal: AbortSignal): Promise<void> {
    const { agent, login } = this.loginFor(name, signal);
    await this.logins.signIn(login, await this.signInPlace(agent, signal), browser, signal);
  }

  async signOut(name: string): Promise<void> {
    await this.logins.signOut(this.loginFor(name, new AbortController().signal).login);
  }

  /** What the question about a call says about the agent. */
  async introduce(agent: RemoteAgent, { callId, signal }: ForCall): Promise<Introduction> {
    const { card } = await this.connect(agent, signal);
    this.shown.set(callId, card.hash);
    const hasChanged = (await this.stateOf(agent, card)) === 'changed';
    return { ...card, hasChanged };
  }

  /** Connects to an agent for a call that was allowed. Rejects if its card isn't the one that the user agreed to. */
  async open(agent: RemoteAgent, { callId, signal, traceparent }: ForCall): Promise<RemoteConnection> {
    const connection = await this.connect(agent, signal, traceparent);
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

  private async connect(
    agent: RemoteAgent,
    signal: AbortSignal,
    traceparent?: FetchGuards['traceparent'],
  ): Promise<RemoteConnection> {
    const listed = this.listed(agent);
    if (!listed) throw new RemoteFailure('card', 'Its definition is not in use any more.');
    const { connectTo } = await import('./connection.ts');
    const credentials = this.credentialsOf(agent, listed, signal);
    return connectTo(agent, { alarm: this.ports.alarm, credentials, traceparent }, signal);
  }

  private credentialsOf({ auth, card }: RemoteAgent, listed: ListedAgent, signal: AbortSignal): Credentials {
    const { alarm, googleToken, placesOf } = this.ports;
    if (auth?.type !== 'oauth')
      return agentCredentials(auth, { places: { ...placesOf(listed), alarm }, googleToken }, signal);
    const cardUrl = 'url' in card ? new URL(card.url).href : undefined;
    return loginCredentials(this.loginOf(listed, auth, signal), this.logins, cardUrl, signal);
  }

  private loginOf(listed: ListedAgent, auth: OAuth, signal: AbortSignal): AgentLogin {
    const { name } = listed.definition;
    const places = { ...this.ports.placesOf(listed), alarm: this.ports.alarm };
    const definition = `${listed.file ?? ''}#${name}`;
    return { name, definition, auth, value: (written) => secretValue(written, places, signal) };
  }

  private loginFor(name: string, signal: AbortSignal): { readonly agent: RemoteAgent; readonly login: AgentLogin } {
    for (const listed of this.ports.catalog.listed()) {
      const oauth = listed.definition.name === name ? oauthOf(listed) : undefined;
      if (oauth) return { agent: oauth.agent, login: this.loginOf(listed, oauth.auth, signal) };
    }
    throw new Error(`There is nothing to sign in to for "${name}".`);
  }

  /** Where the user signs in: at the agent, or at the place of its card if not even that can be read without. */
  private async signInPlace(
    agent: RemoteAgent,
    signal: AbortSignal,
  ): Promise<{ readonly url: string; readonly card: CardFacts['signIn'] }> {
    try {
      const { card } = await this.connect(agent, signal);
      const why = mustBeSeen(agent, card, await this.stateOf(agent, card));
      if (why === undefined) return { url: card.url, card: card.signIn };
      throw new RemoteFailure('card-changed', `${why}. Give it a task first, so that you can approve its card.`);
    } catch (error) {
      const isHidden = error instanceof RemoteFailure && error.kind === 'sign-in' && 'url' in agent.card;
      if (!isHidden) throw error;
      return { url: agent.card.url, card: undefined };
    }
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

function oauthOf({
  definition: agent,
  unusable,
}: ListedAgent): { readonly agent: RemoteAgent; readonly auth: OAuth } | undefined {
  return agent.kind === 'remote' && agent.auth?.type === 'oauth' && !unusable ? { agent, auth: agent.auth } : undefined;
}

/**
 * Why the user must see a card even if a rule or a mode allows the call. A definition approves only the host that it
 * names.
 */
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
