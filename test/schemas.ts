import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { schemaFiles } from './support/docs/schema-files.ts';

// npm run schemas: writes the JSON schemas of the files that configure the agent.
for (const { path, text } of schemaFiles()) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
