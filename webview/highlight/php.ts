import { clike } from '@codemirror/legacy-modes/mode/clike';
import type { StreamParser, StringStream } from '@codemirror/streamparser';

const words = (text: string): Record<string, true> => Object.fromEntries(text.split(' ').map((word) => [word, true]));

/** PHP is close enough to C for highlighting. Only variables and `#` comments need code of their own. */
export const php: StreamParser<unknown> = clike({
  name: 'php',
  keywords: words(
    'abstract and array as break case catch class clone const continue declare default do echo else elseif enum ' +
      'extends final finally fn for foreach function global goto if implements include include_once instanceof ' +
      'interface isset list match namespace new or print private protected public readonly require require_once ' +
      'return static switch throw trait try unset use var while xor yield',
  ),
  types: words('int float string bool array object mixed void never iterable callable self'),
  atoms: words('true false null TRUE FALSE NULL'),
  multiLineStrings: true,
  hooks: {
    $: (stream: StringStream) => {
      stream.eatWhile(/[\w$]/);
      return 'variableName';
    },
    '#': (stream: StringStream) => {
      // `#[` begins an attribute.
      if (stream.peek() === '[') return 'meta';
      stream.skipToEnd();
      return 'comment';
    },
  },
});
