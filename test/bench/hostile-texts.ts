/** Pieces that, one after the other, begin a search for secrets or hidden characters again and again. */
export const HOSTILE_PIECES: Readonly<Record<string, string>> = {
  'names without a value': 'password=',
  'values of examples': 'api_key: "example-1a2B3c4D"\n',
  'variables without values': 'A_PASSWORD=x\n',
  'beginnings of keys': 'sk-',
  'beginnings of tokens': 'eyJabcde.',
  'words behind Bearer': 'Bearer some-words-in-a-row ',
  'values without names': 'value: "',
  'ends of elements': '<a>x</',
  'options without values': ' --token ',
  'escapes of addresses': '%41',
  'lines of keys': 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eFaB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF\n',
  'random lines': 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF\n',
  joiners: 'a\u200d',
  'overrides of direction': '\u202e',
  selectors: '\ufe0f',
  tags: '\u{e0061}',
};
