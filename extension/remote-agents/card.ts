import { createHash } from 'node:crypto';
import type { RemoteAgent } from '../agents/agent-definition.ts';
import { isObject } from '../base/objects.ts';
import { stableText } from '../text/stable-text.ts';
import { RemoteFailure } from './remote-failure.ts';

/** The description of an agent, as its service gives it. */
export interface FoundCard {
  readonly content: Readonly<Record<string, unknown>>;
  /** The same for cards that say the same. */
  readonly hash: string;
}

/** Reads the card: from the definition, or from its address. */
export async function findCard(
  card: RemoteAgent['card'],
  fetchImpl: typeof fetch,
  signal: AbortSignal,
): Promise<FoundCard> {
  if ('json' in card) return parsedCard(card.json, 'The card in its definition');
  const { url } = card;
  const response = await fetchImpl(url, {
    headers: { accept: 'application/json', 'A2A-Version': '1.0' },
    signal,
  }).catch((error: unknown) => {
    if (!(error instanceof RemoteFailure) || error.kind !== 'not-a2a') throw error;
    throw new RemoteFailure('card', `There is no agent card at ${url}, but a web page.`);
  });
  const text = await response.text();
  if (!response.ok) throw new RemoteFailure('card', `There is no agent card at ${url} (HTTP ${response.status}).`);
  return parsedCard(text, `What is at ${url}`);
}

function parsedCard(text: string, what: string): FoundCard {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new RemoteFailure('card', `${what} is not JSON, so it is no agent card.`);
  }
  if (!isObject(content) || Array.isArray(content) || typeof content['name'] !== 'string')
    throw new RemoteFailure('card', `${what} is no agent card: it has no name.`);
  return { content, hash: createHash('sha256').update(stableText(content)).digest('hex') };
}
