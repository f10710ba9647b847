/** A small Python project whose tests need nothing but Python. */
export const PYTHON_PROJECT = { '.gitignore': '__pycache__\n' };
export const TESTS = 'python3 -m unittest discover -s tests -t .';

export const unittest = (imports: string, body: string): string => `import unittest\n\n${imports}\n\n\n${body}`;
