import type { Content } from '@google/genai';

/** How facts about the environment begin, and notes about the approval mode and instruction files. */
const INFORMATION =
  /^(?:(?:Facts|More or changed facts) about the machine |\[(?:The approval mode is now |These instructions apply to |The instructions in ))/;

/** Whether Gantry only informs the model here: it is no message of the user, and there is nothing to answer. */
export function isInformation({ role, parts = [] }: Content): boolean {
  return role === 'user' && parts.length > 0 && parts.every(({ text }) => text !== undefined && INFORMATION.test(text));
}
