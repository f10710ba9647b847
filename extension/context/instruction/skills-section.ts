import { oneLine } from '../../text/one-line.ts';
import type { Section } from './facts.ts';

/** What would be too much for every request. */
const MAX_LISTED = 100;
const MAX_DESCRIPTION = 500;

/** What each is good for; its instructions come when it is activated. */
export const skills: Section = ({ isTrusted, skills: all }) => {
  if (!isTrusted || all.length === 0) return undefined;
  const lines = all
    .slice(0, MAX_LISTED)
    .map(({ name, description }) => `- ${oneLine(name, 100)}: ${oneLine(description, MAX_DESCRIPTION)}`);
  const more = all.length > MAX_LISTED ? [`- and ${all.length - MAX_LISTED} more`] : [];
  return `There are skills: instructions for certain kinds of tasks, with files that go with them. When what you are asked to do
fits a description, load that skill with activate_skill first and follow it.
${[...lines, ...more].join('\n')}`;
};
