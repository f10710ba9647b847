import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GENERATED_PARTS, withPart } from './support/docs/generated.ts';
import { repoRoot } from './support/repo.ts';

// npm run docs: writes the parts of docs/ that follow from the code.
for (const part of GENERATED_PARTS) {
  const path = join(repoRoot, part.page);
  await writeFile(path, withPart(await readFile(path, 'utf8'), part));
}
