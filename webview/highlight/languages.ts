import { c, clike, cpp, csharp, dart, java, kotlin, objectiveC, scala } from '@codemirror/legacy-modes/mode/clike';
import { clojure } from '@codemirror/legacy-modes/mode/clojure';
import { cmake } from '@codemirror/legacy-modes/mode/cmake';
import { css, less, sCSS } from '@codemirror/legacy-modes/mode/css';
import { diff } from '@codemirror/legacy-modes/mode/diff';
import { dockerFile } from '@codemirror/legacy-modes/mode/dockerfile';
import { elm } from '@codemirror/legacy-modes/mode/elm';
import { go } from '@codemirror/legacy-modes/mode/go';
import { groovy } from '@codemirror/legacy-modes/mode/groovy';
import { haskell } from '@codemirror/legacy-modes/mode/haskell';
import { http } from '@codemirror/legacy-modes/mode/http';
import { javascript, json, typescript } from '@codemirror/legacy-modes/mode/javascript';
import { julia } from '@codemirror/legacy-modes/mode/julia';
import { lua } from '@codemirror/legacy-modes/mode/lua';
import { fSharp, oCaml } from '@codemirror/legacy-modes/mode/mllike';
import { nginx } from '@codemirror/legacy-modes/mode/nginx';
import { perl } from '@codemirror/legacy-modes/mode/perl';
import { powerShell } from '@codemirror/legacy-modes/mode/powershell';
import { properties } from '@codemirror/legacy-modes/mode/properties';
import { protobuf } from '@codemirror/legacy-modes/mode/protobuf';
import { python } from '@codemirror/legacy-modes/mode/python';
import { r } from '@codemirror/legacy-modes/mode/r';
import { ruby } from '@codemirror/legacy-modes/mode/ruby';
import { rust } from '@codemirror/legacy-modes/mode/rust';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { standardSQL } from '@codemirror/legacy-modes/mode/sql';
import { swift } from '@codemirror/legacy-modes/mode/swift';
import { toml } from '@codemirror/legacy-modes/mode/toml';
import { html, xml } from '@codemirror/legacy-modes/mode/xml';
import { yaml } from '@codemirror/legacy-modes/mode/yaml';
import type { StreamParser, StringStream } from '@codemirror/streamparser';

const words = (text: string): Record<string, true> => Object.fromEntries(text.split(' ').map((word) => [word, true]));

/** PHP is close enough to C for highlighting. Only variables and `#` comments need code of their own. */
const php: StreamParser<unknown> = clike({
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

/** The parsers, each with the names that fences use for its language. */
const LANGUAGES: readonly (readonly [StreamParser<unknown>, string])[] = [
  [typescript, 'ts typescript tsx mts cts'],
  [javascript, 'js javascript jsx mjs cjs node'],
  [json, 'json jsonc json5 jsonl ndjson'],
  [python, 'py python python3 py3 pyi gyp bazel starlark'],
  [shell, 'sh bash zsh fish shell shellscript console terminal makefile make'],
  [css, 'css'],
  [sCSS, 'scss sass'],
  [less, 'less'],
  [html, 'html htm vue svelte astro handlebars hbs'],
  [xml, 'xml svg xsl xsd plist csproj xaml'],
  [yaml, 'yaml yml'],
  [toml, 'toml'],
  [properties, 'ini properties cfg conf dotenv env editorconfig'],
  [java, 'java'],
  [kotlin, 'kotlin kt kts'],
  [scala, 'scala sbt'],
  [c, 'c h'],
  [cpp, 'cpp c++ cc cxx hpp hh arduino ino'],
  [csharp, 'cs csharp c#'],
  [objectiveC, 'objc objectivec objective-c m'],
  [dart, 'dart'],
  [php, 'php'],
  [go, 'go golang'],
  [rust, 'rust rs'],
  [ruby, 'ruby rb'],
  [swift, 'swift'],
  [standardSQL, 'sql mysql postgresql postgres pgsql sqlite plsql tsql'],
  [diff, 'diff patch udiff'],
  [dockerFile, 'dockerfile docker containerfile'],
  [lua, 'lua'],
  [perl, 'perl pl'],
  [r, 'r'],
  [powerShell, 'powershell ps1 pwsh'],
  [haskell, 'haskell hs'],
  [clojure, 'clojure clj cljs edn'],
  [groovy, 'groovy gradle jenkinsfile'],
  [protobuf, 'protobuf proto'],
  [nginx, 'nginx'],
  [cmake, 'cmake'],
  [julia, 'julia jl'],
  [elm, 'elm'],
  [oCaml, 'ocaml ml'],
  [fSharp, 'fsharp fs f#'],
  [http, 'http'],
];

const BY_NAME: ReadonlyMap<string, StreamParser<unknown>> = new Map(
  LANGUAGES.flatMap(([parser, names]) => names.split(' ').map((name) => [name, parser] as const)),
);

/** Undefined for an unknown language. */
export function parserFor(name: string): StreamParser<unknown> | undefined {
  return BY_NAME.get(name.toLowerCase());
}
