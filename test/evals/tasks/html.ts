import { edit, solve, type Task, write } from '../task.ts';

/** Reads a page without a browser: enough of HTML for pages that are written by hand. */
const PARSE = `import { readFileSync } from 'node:fs';
import assert from 'node:assert/strict';
const html = readFileSync('index.html', 'utf8').replace(/<!--[\\s\\S]*?-->/g, '');
const tags = (name) => [...html.matchAll(new RegExp('<' + name + '\\\\b([^>]*)>', 'gi'))].map(([, text]) => text);
const attribute = (text, name) => {
  const found = new RegExp('\\\\b' + name + '\\\\s*=\\\\s*(?:"([^"]*)"|\\'([^\\']*)\\'|([^\\\\s>]+))', 'i').exec(text);
  return found ? (found[1] ?? found[2] ?? found[3]) : undefined;
};
`;

export const HTML_TASKS: readonly Task[] = [
  {
    id: 'html-labels',
    language: 'HTML',
    kind: 'bug',
    level: 1,
    make: (vary) => {
      const field = vary.pick(['email', 'phone', 'city']);
      return {
        files: {
          'index.html': `<!doctype html>
<html>
  <head>
    <meta charset="utf-8">
    <title>Sign up</title>
  </head>
  <body>
    <form action="/signup" method="post">
      <div>Name</div>
      <input name="name">
      <div>Your ${field}</div>
      <input name="${field}">
      <img src="logo.png">
      <div onclick="document.forms[0].submit()">Send</div>
    </form>
  </body>
</html>
`,
        },
        prompts: [
          'index.html cannot be used with a screen reader or the keyboard: fields without labels, an image without a text, a div as a button, no language. Please fix these four. The texts stay; the logo is an image of the words "Blue Harbour".',
        ],
        mayChange: ['index.html', '*.css'],
        check: async (result) => {
          await result.node(`${PARSE}
assert.ok(attribute(tags('html')[0], 'lang'), 'no language');
assert.match(attribute(tags('img')[0], 'alt') ?? '', /Blue Harbour/);
const ids = tags('input').filter((input) => !/submit/.test(attribute(input, 'type') ?? '')).map((input) => attribute(input, 'id'));
const labels = tags('label').map((label) => attribute(label, 'for'));
const wrapped = [...html.matchAll(/<label\\b[^>]*>(?:(?!<\\/label>)[\\s\\S])*<input/g)].length;
assert.ok(wrapped >= 2 || (ids.length === 2 && ids.every((id) => id && labels.includes(id))), 'a field has no label');
assert.ok(/<button\\b[^>]*>\\s*Send\\s*<\\/button>/.test(html) || /type="?submit/.test(html), 'no button');
assert.ok(!/<div[^>]*onclick/.test(html), 'the div is still there');
for (const name of ['name', '${field}']) assert.ok(tags('input').some((input) => attribute(input, 'name') === name));
assert.match(html, /Your ${field}/);`);
        },
        solution: [
          solve(
            [
              edit('index.html', '<html>', '<html lang="en">'),
              edit(
                'index.html',
                '<div>Name</div>\n      <input name="name">',
                '<label for="name">Name</label>\n      <input id="name" name="name">',
              ),
              edit(
                'index.html',
                `<div>Your ${field}</div>\n      <input name="${field}">`,
                `<label for="${field}">Your ${field}</label>\n      <input id="${field}" name="${field}">`,
              ),
              edit('index.html', '<img src="logo.png">', '<img src="logo.png" alt="Blue Harbour">'),
              edit(
                'index.html',
                '<div onclick="document.forms[0].submit()">Send</div>',
                '<button type="submit">Send</button>',
              ),
            ],
            [],
            'The page has a language, labels, a text for the logo, and a real button.',
          ),
        ],
      };
    },
  },
  {
    id: 'html-escape',
    language: 'HTML',
    kind: 'bug',
    level: 2,
    make: () => ({
      files: {
        'render.mjs': `export function comment({ author, text, link }) {
  return \`<article><h3>\${author}</h3><p>\${text}</p><a href="\${link}">Website</a></article>\`;
}

export function page(comments) {
  return \`<!doctype html><html lang="en"><title>Comments</title><body>\${comments.map(comment).join('')}</body></html>\`;
}
`,
        'test/render.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comment } from '../render.mjs';

test('shows the author', () => assert.match(comment({ author: 'Ann', text: '', link: 'https://a.example' }), /<h3>Ann</));
`,
        'package.json': '{ "type": "module", "scripts": { "test": "node --test test/render.test.mjs" } }\n',
      },
      prompts: [
        'Anybody can put a script into our comment page. Close every way to do that in render.mjs. A link that is neither http: nor https: is left out, with its <a>.',
      ],
      mayChange: ['render.mjs', 'test/render.test.mjs'],
      check: async (result) => {
        await result.node(`import assert from 'node:assert/strict';
import { comment, page } from './render.mjs';
const evil = '<script>alert(1)</script>';
const html = comment({ author: evil, text: evil, link: 'https://a.example/"><script>' });
assert.ok(!/<script/i.test(html), html);
assert.ok(!/href="[^"]*"[^>]*script/i.test(html) && !/onmouse\\w+\\s*=/.test(comment({ author: 'a', text: 'b', link: 'https://x.example/" onmouseover="alert(1)' }).replace(/"[^"]*"/g, '')));
for (const link of ['javascript:alert(1)', ' JavaScript:alert(1)', 'java\\nscript:alert(1)', 'data:text/html,x', 'not a link']) {
  const shown = comment({ author: 'a', text: 'b', link });
  assert.ok(!/<a\\b/.test(shown), link);
}
assert.match(comment({ author: 'a', text: '1 < 2 & 3', link: 'https://a.example/?x=1&y=2' }), /1 &lt; 2 &amp; 3/);
assert.match(comment({ author: 'a', text: 'b', link: 'http://a.example/' }), /<a href="http:\\/\\/a\\.example\\/?">Website<\\/a>/);
assert.match(page([{ author: 'Ann', text: 'Hi', link: 'https://a.example' }]), /<h3>Ann<\\/h3><p>Hi<\\/p>/);`);
      },
      solution: [
        solve(
          [
            write(
              'render.mjs',
              `export function comment({ author, text, link }) {
  const website = isWebAddress(link) ? \`<a href="\${escaped(link)}">Website</a>\` : '';
  return \`<article><h3>\${escaped(author)}</h3><p>\${escaped(text)}</p>\${website}</article>\`;
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text) {
  return String(text).replace(/[&<>"']/g, (char) => ENTITIES[char]);
}

function isWebAddress(link) {
  return URL.canParse(link) && ['http:', 'https:'].includes(new URL(link).protocol);
}

export function page(comments) {
  return \`<!doctype html><html lang="en"><title>Comments</title><body>\${comments.map(comment).join('')}</body></html>\`;
}
`,
            ),
          ],
          ['npm test'],
          'All three values are escaped, and only http and https links are shown.',
        ),
      ].map(({ turns, answer }) => ({
        turns: [[{ name: 'read_file', args: { file_path: 'render.mjs' } }], ...turns],
        answer,
      })),
    }),
  },
  {
    id: 'html-navigation',
    language: 'HTML',
    kind: 'refactoring',
    level: 2,
    make: (vary) => {
      const pages = ['index', 'about', vary.pick(['prices', 'team', 'news'])] as const;
      const nav = `<nav><a href="index.html">Home</a> <a href="about.html">About</a></nav>`;
      const html = (name: string): string =>
        `<!doctype html>\n<html lang="en">\n<title>${name}</title>\n<body>\n${nav}\n<main>This is ${name}.</main>\n</body>\n</html>\n`;
      return {
        files: Object.fromEntries(pages.map((name) => [`site/${name}.html`, html(name)])),
        prompts: [
          `The navigation does not list ${pages[2]}.html. Add it as the last link on all pages in site/, with the page's name with a capital letter as text, and mark the link of the current page with aria-current="page".`,
        ],
        mayChange: ['site/*.html'],
        check: async (result) => {
          await result.node(`import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
for (const name of ${JSON.stringify(pages)}) {
  const html = readFileSync('site/' + name + '.html', 'utf8');
  const nav = /<nav>([\\s\\S]*?)<\\/nav>/.exec(html)[1];
  const links = [...nav.matchAll(/<a\\b([^>]*)>([^<]*)<\\/a>/g)];
  assert.deepEqual(links.map(([, text]) => /href="([^"]*)"/.exec(text)[1]), ${JSON.stringify(pages.map((name) => `${name}.html`))}, name);
  assert.equal(links[2][2].trim().toLowerCase(), '${pages[2]}');
  const current = links.filter(([, text]) => text.includes('aria-current="page"')).map(([, text]) => /href="([^"]*)"/.exec(text)[1]);
  assert.deepEqual(current, [name + '.html'], name);
  assert.ok(html.includes('<main>This is ' + name + '.</main>'));
}`);
        },
        solution: [
          solve(
            pages.map((name) => {
              const link = (page: string, text: string): string =>
                `<a href="${page}.html"${page === name ? ' aria-current="page"' : ''}>${text}</a>`;
              const last = pages[2].charAt(0).toUpperCase() + pages[2].slice(1);
              const links = [link('index', 'Home'), link('about', 'About'), link(pages[2], last)];
              return edit(`site/${name}.html`, nav, `<nav>${links.join(' ')}</nav>`);
            }),
            [],
            'All three pages have the new link, and mark the current one.',
          ),
        ],
      };
    },
  },
  {
    id: 'html-counter',
    language: 'HTML',
    kind: 'feature',
    level: 1,
    make: (vary) => {
      const max = vary.int(80, 200);
      return {
        files: {
          'index.html': `<!doctype html>
<html lang="en">
<title>Message</title>
<body>
<textarea id="message"></textarea>
<output id="left"></output>
<script type="module" src="counter.mjs"></script>
</body>
</html>
`,
          'counter.mjs': `/** How many characters are left, and whether the message is too long. */
export function left(text) {
  return { text: '', tooLong: false };
}

if (typeof document !== 'undefined') {
  const [message, output] = [document.getElementById('message'), document.getElementById('left')];
  message.addEventListener('input', () => {
    const { text, tooLong } = left(message.value);
    output.textContent = text;
    output.classList.toggle('error', tooLong);
  });
}
`,
        },
        prompts: [
          `Finish left() in counter.mjs: a message may have ${max} characters. text is "12 characters left", "1 character left", "0 characters left", and "3 characters too many" or "1 character too many" beyond that. An emoji such as 🎉 counts as one.`,
        ],
        mayChange: ['counter.mjs'],
        check: async (result) => {
          await result.node(`import assert from 'node:assert/strict';
import { left } from './counter.mjs';
const of = (length) => left('x'.repeat(length));
assert.deepEqual(of(0), { text: '${max} characters left', tooLong: false });
assert.deepEqual(of(${max - 1}), { text: '1 character left', tooLong: false });
assert.deepEqual(of(${max}), { text: '0 characters left', tooLong: false });
assert.deepEqual(of(${max + 1}), { text: '1 character too many', tooLong: true });
assert.deepEqual(of(${max + 3}), { text: '3 characters too many', tooLong: true });
assert.equal(left('🎉').text, '${max - 1} characters left');`);
        },
        solution: [
          solve(
            [
              edit(
                'counter.mjs',
                "  return { text: '', tooLong: false };",
                `  const count = ${max} - [...text].length;\n  const unit = Math.abs(count) === 1 ? 'character' : 'characters';\n  return { text: \`\${Math.abs(count)} \${unit} \${count < 0 ? 'too many' : 'left'}\`, tooLong: count < 0 };`,
              ),
            ],
            [],
            'left() counts whole characters, and says one or many.',
          ),
        ],
      };
    },
  },
];
