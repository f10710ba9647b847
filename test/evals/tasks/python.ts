import { runs } from '../behaviours.ts';
import { edit, solve, type Task, write } from '../task.ts';
import { PYTHON_PROJECT, TESTS, unittest } from './python-project.ts';

export const PYTHON_TASKS: readonly Task[] = [
  {
    id: 'py-mutable-default',
    language: 'Python',
    kind: 'bug',
    level: 1,
    needs: ['python3'],
    make: (vary) => {
      const name = vary.pick(['Basket', 'Playlist', 'Route']);
      return {
        files: {
          ...PYTHON_PROJECT,
          'app/__init__.py': '',
          'app/model.py': `class ${name}:
    def __init__(self, entries=[]):
        self.entries = entries

    def add(self, entry):
        self.entries.append(entry)

    def __len__(self):
        return len(self.entries)
`,
          'tests/__init__.py': '',
          'tests/test_model.py': unittest(
            `from app.model import ${name}`,
            `class Test${name}(unittest.TestCase):\n    def test_add(self):\n        one = ${name}(["a"])\n        one.add("b")\n        self.assertEqual(len(one), 2)\n`,
          ),
        },
        prompts: [`A new ${name} sometimes already has entries in it. Why? Fix it.`],
        mayChange: ['app/model.py', 'tests/test_model.py'],
        check: async (result) => {
          await result.python(`from app.model import ${name}
a = ${name}(); a.add(1)
assert len(${name}()) == 0, 'entries are shared'
given = [1]
b = ${name}(given)
assert len(b) == 1 and len(${name}(entries=[1, 2])) == 2`);
        },
        solution: [
          solve(
            [
              edit(
                'app/model.py',
                'entries=[]):\n        self.entries = entries',
                'entries=None):\n        self.entries = [] if entries is None else entries',
              ),
            ],
            [TESTS],
            'The default list was created once and shared by all instances.',
          ),
        ],
      };
    },
  },
  {
    id: 'py-midnight',
    language: 'Python',
    kind: 'bug',
    level: 2,
    needs: ['python3'],
    make: (vary) => {
      const [start, end] = [vary.int(20, 23), vary.int(4, 7)];
      return {
        files: {
          ...PYTHON_PROJECT,
          'rates/__init__.py': '',
          'rates/clock.py': `NIGHT_START = ${start}
NIGHT_END = ${end}


def is_night(hour):
    """Whether the night rate applies in this hour (0 to 23)."""
    return NIGHT_START <= hour < NIGHT_END
`,
          'rates/bill.py': `from rates.clock import is_night

DAY_CENTS = 30
NIGHT_CENTS = 20


def bill(hours):
    return sum(NIGHT_CENTS if is_night(hour) else DAY_CENTS for hour in hours)
`,
          'tests/__init__.py': '',
          'tests/test_bill.py': unittest(
            'from rates.bill import bill',
            'class TestBill(unittest.TestCase):\n    def test_noon(self):\n        self.assertEqual(bill([12]), 30)\n',
          ),
        },
        prompts: [
          `Customers are never billed the night rate, although it should apply from ${start}:00 until ${end}:00. Please fix it, and add a test that would have found it. Run the tests with \`${TESTS}\`.`,
        ],
        mayChange: ['rates/clock.py', 'rates/bill.py', 'tests/test_bill.py'],
        behaviours: [runs(/unittest|pytest/)],
        check: async (result) => {
          await result.python(`from rates.bill import bill
from rates.clock import is_night
night = [h for h in range(24) if is_night(h)]
assert night == [*range(0, ${end}), *range(${start}, 24)], night
assert bill([12, ${start}, ${end}]) == 80`);
          await result.bash(`${TESTS} 2>&1
d=$(mktemp -d); cp -R rates tests "$d"; cd "$d"
printf 'def is_night(hour):\\n    return False\\n' > rates/clock.py
if ${TESTS} > /dev/null 2>&1; then rm -r "$d"; echo 'the new test does not notice the bug'; exit 1; fi; rm -r "$d"`);
        },
        solution: [
          solve(
            [
              edit('rates/clock.py', 'NIGHT_START <= hour < NIGHT_END', 'hour >= NIGHT_START or hour < NIGHT_END'),
              edit(
                'tests/test_bill.py',
                '    def test_noon(self):',
                `    def test_night(self):\n        self.assertEqual(bill([${start}, 0]), 40)\n\n    def test_noon(self):`,
              ),
            ],
            [TESTS],
            'The range crosses midnight, so both ends could never hold at once. Fixed, with a test; all pass.',
          ),
        ],
      };
    },
  },
  {
    id: 'py-retry',
    language: 'Python',
    kind: 'feature',
    level: 2,
    needs: ['python3'],
    make: (vary) => {
      const tries = vary.int(3, 6);
      return {
        files: {
          ...PYTHON_PROJECT,
          'net/__init__.py': '',
          'net/client.py': `class Client:
    def __init__(self, send, sleep):
        self._send = send
        self._sleep = sleep

    def get(self, path):
        return self._send("GET", path)

    def post(self, path):
        return self._send("POST", path)
`,
          'tests/__init__.py': '',
          'tests/test_client.py': unittest(
            'from net.client import Client',
            'class TestClient(unittest.TestCase):\n    def test_get(self):\n        self.assertEqual(Client(lambda m, p: m + p, None).get("/a"), "GET/a")\n',
          ),
        },
        prompts: [
          `Client.get should try again if send raises ConnectionError: at most ${tries} attempts in total, waiting 1, 2, 4, … seconds in between with the given sleep function. If the last attempt fails, its error is raised. A POST must never be repeated.`,
        ],
        mayChange: ['net/client.py', 'tests/test_client.py'],
        check: async (result) => {
          await result.python(`from net.client import Client
def client(failures, error=ConnectionError):
    calls, waits = [], []
    def send(method, path):
        calls.append(method)
        if len(calls) <= failures:
            raise error(str(len(calls)))
        return 'ok'
    return Client(send, waits.append), calls, waits
c, calls, waits = client(2)
assert c.get('/') == 'ok' and waits == [1, 2] and len(calls) == 3, (waits, calls)
c, calls, waits = client(99)
try:
    c.get('/'); raise SystemExit('no error')
except ConnectionError as e:
    assert str(e) == '${tries}', e
assert len(calls) == ${tries} and waits == [2 ** i for i in range(${tries - 1})], waits
c, calls, waits = client(1)
try:
    c.post('/'); raise SystemExit('a POST was repeated')
except ConnectionError:
    assert len(calls) == 1
c, calls, waits = client(1, ValueError)
try:
    c.get('/'); raise SystemExit('other errors are no reason')
except ValueError:
    assert len(calls) == 1`);
        },
        solution: [
          solve(
            [
              edit(
                'net/client.py',
                '        return self._send("GET", path)',
                '        for attempt in range(ATTEMPTS - 1):\n            try:\n                return self._send("GET", path)\n            except ConnectionError:\n                self._sleep(2**attempt)\n        return self._send("GET", path)',
              ),
              edit('net/client.py', 'class Client:', `ATTEMPTS = ${tries}\n\n\nclass Client:`),
            ],
            [TESTS],
            'GET is tried again with growing waits; POST is not.',
          ),
        ],
      };
    },
  },
  {
    id: 'py-duplicate-parsers',
    language: 'Python',
    kind: 'refactoring',
    level: 2,
    needs: ['python3'],
    make: () => ({
      files: {
        ...PYTHON_PROJECT,
        'imports/__init__.py': '',
        'imports/people.py': `def load_people(text):
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(";")]
        if len(parts) != 2:
            raise ValueError(f"line {number}: 2 columns expected")
        rows.append({"name": parts[0], "age": int(parts[1])})
    return rows
`,
        'imports/places.py': `def load_places(text):
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(";")]
        if len(parts) != 3:
            raise ValueError(f"line {number}: 3 columns expected")
        rows.append({"name": parts[0], "lat": float(parts[1]), "lon": float(parts[2])})
    return rows
`,
        'tests/__init__.py': '',
        'tests/test_imports.py': unittest(
          'from imports.people import load_people\nfrom imports.places import load_places',
          'class TestImports(unittest.TestCase):\n    def test_people(self):\n        self.assertEqual(load_people("# x\\nAda; 36"), [{"name": "Ada", "age": 36}])\n\n    def test_places(self):\n        self.assertEqual(load_places("Oslo;59.9;10.7")[0]["lat"], 59.9)\n',
        ),
      },
      prompts: [
        'imports/people.py and imports/places.py read lines in the same way. Move the common part to imports/rows.py, so that splitting, comments and the error for a wrong number of columns exist once. Nothing else may change for callers.',
      ],
      mayChange: ['imports/*.py', 'tests/test_imports.py'],
      check: async (result) => {
        await result.python(`import pathlib
from imports.people import load_people
from imports.places import load_places
assert load_people("\\n# c\\n Ada ; 36 \\n") == [{"name": "Ada", "age": 36}]
assert load_places("Oslo;59.9;10.7") == [{"name": "Oslo", "lat": 59.9, "lon": 10.7}]
for load, text, message in ((load_people, "a;1\\n\\nb", "line 3: 2 columns expected"), (load_places, "a;1", "line 1: 3 columns expected")):
    try:
        load(text); raise SystemExit('no error')
    except ValueError as e:
        assert str(e) == message, e
source = {p.name: p.read_text() for p in pathlib.Path('imports').glob('*.py')}
assert 'rows.py' in source, 'there is no rows.py'
assert sum(text.count('splitlines') for text in source.values()) == 1, 'lines are split in several places'
assert sum(text.count('columns expected') for text in source.values()) == 1`);
      },
      solution: [
        {
          turns: [
            [
              { name: 'read_file', args: { file_path: 'imports/people.py' } },
              { name: 'read_file', args: { file_path: 'imports/places.py' } },
            ],
            [
              write(
                'imports/rows.py',
                `def rows_of(text, columns):
    """The cells of each line that is neither empty nor a comment."""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split(";")]
        if len(cells) != columns:
            raise ValueError(f"line {number}: {columns} columns expected")
        yield cells
`,
              ),
              write(
                'imports/people.py',
                'from imports.rows import rows_of\n\n\ndef load_people(text):\n    return [{"name": name, "age": int(age)} for name, age in rows_of(text, 2)]\n',
              ),
              write(
                'imports/places.py',
                'from imports.rows import rows_of\n\n\ndef load_places(text):\n    return [{"name": name, "lat": float(lat), "lon": float(lon)} for name, lat, lon in rows_of(text, 3)]\n',
              ),
            ],
            [{ name: 'run_shell_command', args: { command: TESTS } }],
          ],
          answer: 'Both use imports/rows.py now. The tests pass.',
        },
      ],
    }),
  },
];
