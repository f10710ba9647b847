import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputFiles } from '../context/output-files.ts';

/** Text files of one session, where the agent can read them. */
export class SessionOutputFiles implements OutputFiles {
  /** Absolute. */
  constructor(private readonly folder: string) {}

  async save(callId: string, tool: string, text: string): Promise<string> {
    const name = `${tool}_${callId}`.replace(/[^\w-]/g, '_').slice(0, 120);
    const path = join(this.folder, `${name}.txt`);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
    return path;
  }
}
