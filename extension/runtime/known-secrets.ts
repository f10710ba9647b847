import type { Host } from './host.ts';

/** What must not appear in anything that leaves the session: the user's own keys. */
export async function knownSecrets({ secrets, environment }: Pick<Host, 'secrets' | 'environment'>): Promise<string[]> {
  const { GEMINI_API_KEY, GOOGLE_API_KEY } = environment;
  return [await secrets.apiKey(), GEMINI_API_KEY, GOOGLE_API_KEY].flatMap((secret) => secret || []);
}
