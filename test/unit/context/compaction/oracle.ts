import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Content } from '@google/genai';
import { repoRoot } from '../../../support/repo.ts';

/** What Gemini CLI decides about a compression; its package does not export it. */
interface Oracle {
  findCompressSplitPoint(contents: readonly Content[], fraction: number): number;
}

const PLACE = 'node_modules/@google/gemini-cli-core/dist/src/context/chatCompressionService.js';

export function loadOracle(): Promise<Oracle> {
  return import(pathToFileURL(join(repoRoot, PLACE)).href);
}
