import { print } from './support/output.ts';
import { folderGraphText } from './support/source/folder-graph.ts';
import { allImports } from './support/source/imports.ts';

// npm run graph: which folder imports which, as docs/architecture.md has it.
print(folderGraphText(allImports()));
