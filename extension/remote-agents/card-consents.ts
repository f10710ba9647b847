import { AcceptedFiles } from '../files/accepted.ts';

/**
 * The cards that the user agreed to, by the file and the name of their agent. A definition that names an address says
 * nothing about what is there, so what the user approved is the file and the card together. The first card is the one
 * that the approval of the first call is about.
 */
export class CardConsents {
  private readonly accepted: AcceptedFiles;

  /** Without a path, nothing is stored. */
  constructor(acceptedFile: string | undefined) {
    this.accepted = new AcceptedFiles(acceptedFile, 'card');
  }

  async stateOf(agent: string, hash: string): Promise<'new' | 'accepted' | 'changed'> {
    const acceptance = await this.accepted.read();
    if (acceptance.problems.length > 0) return 'changed';
    if (acceptance.isAccepted(agent, hash)) return 'accepted';
    return acceptance.isKnown(agent) ? 'changed' : 'new';
  }

  accept(agent: string, hash: string): Promise<void> {
    return this.accepted.accept(agent, hash);
  }
}
