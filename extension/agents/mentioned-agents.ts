/** What the model is told about agents that the user names in a message as `@name`; undefined when they name none. */
export function noteOnMentioned(text: string, agents: readonly { readonly name: string }[]): string | undefined {
  const words = new Set([...text.matchAll(/(?<![\w@.-])@([a-z0-9_-]+)(?![\w/-]|\.\w)/g)].map(([, name]) => name));
  const named = agents.flatMap(({ name }) => (words.has(name) ? name : []));
  if (named.length === 0) return undefined;
  const which = named.length === 1 ? `the agent ${named[0]}` : `these agents: ${named.join(', ')}`;
  return `<system_note>With the @ in the message the user chose ${which}. Hand the task over with invoke_agent.</system_note>`;
}
