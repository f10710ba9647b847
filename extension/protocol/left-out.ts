/** What was not sent to the model as it stands in the conversation. */
export interface LeftOutData {
  /** Each with what it is and where it was found, for people. */
  readonly secrets: readonly { readonly what: string; readonly where: string }[];
  /** How many hidden characters were made visible. */
  readonly hidden: number;
}

/** Such as "2 secrets were left out of what was sent (GitHub token in .env, password in .env)". */
export function leftOutText({ secrets, hidden }: LeftOutData): string {
  const named = secrets.slice(0, MOST_NAMED).map(({ what, where }) => `${what} in ${where}`);
  const more = secrets.length > MOST_NAMED ? `, and ${secrets.length - MOST_NAMED} more` : '';
  const count = secrets.length === 1 ? '1 secret was' : `${secrets.length} secrets were`;
  const left = secrets.length === 0 ? [] : [`${count} left out of what was sent (${named.join(', ')}${more})`];
  const characters = hidden === 1 ? '1 hidden character was' : `${hidden} hidden characters were`;
  const shown = hidden === 0 ? [] : [`${characters} made visible to the model`];
  return [...left, ...shown].join('; ');
}

const MOST_NAMED = 4;
