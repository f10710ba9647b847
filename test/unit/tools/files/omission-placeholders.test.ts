import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { omissionPlaceholders } from '../../../../extension/tools/files/omission-placeholders.ts';

describe('A line that replaces omitted text', () => {
  const refused: readonly string[] = [
    '// ... existing code ...',
    '// ...existing code...',
    '  // rest of code ...',
    '// rest of methods...',
    '// (rest of code ...)',
    '(unchanged methods ...)',
    'rest of ...',
    'unchanged code ...',
    '// … rest of the file unchanged …',
    '# ... rest of the function remains unchanged ...',
    '# ... (existing code) ...',
    '-- ... remaining columns ...',
    '/* ... existing styles ... */',
    '<!-- ... rest of the markup ... -->',
    '<!-- existing content here ... -->',
    '; ... unchanged ...',
    '% ... rest of the document ...',
    '"""... existing code ..."""',
    '{/* ... existing components ... */}',
    'REM ... existing code ...',
    "' ... existing code ...",
    '* ... other methods ...',
    '// ... keep existing code ...',
    '// ... keep the rest of the file as it is …',
    '// ... (keep all other handlers)',
    '// [... existing imports ...]',
    '... existing code ...',
    '… unchanged …',
    '// ... same as before',
    '// ... other imports remain the same ...',
    '// rest of the code remains the same',
    '// The rest of the file stays unchanged.',
    '# existing code here',
    '// code omitted for brevity',
    '# Keep existing code',
    'function f() { /* ... existing code ... */ }',
    'return x; // ... rest of the function ...',
    'x = 1  # ... rest of code ...',
    '<div>{/* ... existing markup ... */}</div>',
  ];
  for (const line of refused) {
    it(`is ${line}`, () => {
      assert.deepEqual(omissionPlaceholders(`before\r\n${line}\nafter`), [line.trim()]);
    });
  }

  const allowed: readonly string[] = [
    'const { a, ...rest } = props;',
    '...rest',
    '  ...rest,',
    '  ...existing,',
    '...unchanged',
    '...previous.items,',
    'f(...other);',
    '[...existing, item]',
    'def stub(): ...',
    '...',
    '// ...',
    '# ...',
    '// Loading ...',
    'console.log("Loading...");',
    'Please wait ...',
    'The existing code ... is kept in a file of its own, as described below.',
    'We leave the rest of the code for later chapters.',
    '// The rest of the code handles errors.',
    '// existing code paths must not break',
    '// The rest of the file is parsed lazily.',
    '# The rest of the tests are slow',
    '// unchanged since version 2',
    '// Returns the remaining lines of the file.',
    '# rest of the arguments are passed to the program',
    '// keep in sync with the schema',
    '// e.g. 1, 2, 3, ...',
    '* Rest parameters: f(...args)',
    'const message = "... existing code ...";',
    'for (const item of existing) {',
    '- [ ] other tests',
    'same as before',
    'rest of the code',
    '// TODO: handle other cases...',
    'git log main...feature',
    '<span>Unchanged</span>',
    '// previous value, current value, ...',
    '',
    'x'.repeat(5000),
  ];
  for (const line of allowed) {
    it(`is not ${line.slice(0, 80)}`, () => {
      assert.deepEqual(omissionPlaceholders(`before\n${line}\nafter`), []);
    });
  }
});
