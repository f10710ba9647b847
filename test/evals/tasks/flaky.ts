import { edit, solve, type Task, write } from '../task.ts';
import { PYTHON_PROJECT, TESTS, unittest } from './python-project.ts';

/** Tests that fail now and then. */
export const FLAKY_TASKS: readonly Task[] = [
  {
    id: 'py-flaky-order',
    language: 'Python',
    kind: 'flaky test',
    level: 2,
    needs: ['python3'],
    make: () => ({
      files: {
        ...PYTHON_PROJECT,
        'tags/__init__.py': '',
        'tags/report.py': `def summary(posts):
    """The tags of all posts with their counts, the most frequent first."""
    names = {tag for post in posts for tag in post}
    counts = {name: sum(name in post for post in posts) for name in names}
    return [f"{name}: {count}" for name, count in sorted(counts.items(), key=lambda entry: -entry[1])]
`,
        'tests/__init__.py': '',
        'tests/test_report.py': unittest(
          'from tags.report import summary',
          'class TestSummary(unittest.TestCase):\n    def test_counts(self):\n        posts = [["green", "blue"], ["red", "green"], ["blue", "red", "green"]]\n        self.assertEqual(summary(posts), ["green: 3", "blue: 2", "red: 2"])\n',
        ),
      },
      prompts: [
        'tests/test_report.py fails on about every second run in CI. Make it reliable. The expected list in the test is what we want to show.',
      ],
      mayChange: ['tags/report.py'],
      check: async (result) => {
        await result.bash(`for seed in 0 1 2 3 4 5 6 7 8 9; do PYTHONHASHSEED=$seed ${TESTS} 2>&1; done`);
        await result.python(`from tags.report import summary
assert summary([["z", "a"], ["m"]]) == ["a: 1", "m: 1", "z: 1"]
assert summary([["z"], ["z", "a"]]) == ["z: 2", "a: 1"]`);
      },
      solution: [
        solve(
          [edit('tags/report.py', 'key=lambda entry: -entry[1]', 'key=lambda entry: (-entry[1], entry[0])')],
          [`for seed in 1 2 3; do PYTHONHASHSEED=$seed ${TESTS}; done`],
          'Tags with the same count came in the order of a set, which differs between runs. They are sorted by name now.',
        ),
      ],
    }),
  },
  {
    id: 'py-flaky-clock',
    language: 'Python',
    kind: 'flaky test',
    level: 3,
    needs: ['python3'],
    make: (vary) => {
      const days = vary.int(10, 40);
      return {
        files: {
          ...PYTHON_PROJECT,
          'lib/__init__.py': '',
          'lib/loans.py': `from datetime import date, timedelta

DAYS = ${days}


def due_date():
    return date.today() + timedelta(days=DAYS)


def is_overdue(due):
    return date.today() > due


def reminder(due):
    left = (due - date.today()).days
    return f"{left} days left" if left != 1 else "1 day left"
`,
          'tests/__init__.py': '',
          'tests/test_loans.py': unittest(
            'from datetime import date\n\nfrom lib.loans import due_date, is_overdue, reminder',
            `class TestLoans(unittest.TestCase):\n    def test_month(self):\n        self.assertGreater(due_date().day, 0)\n        self.assertEqual(due_date().month, (date.today().month + ${Math.round(days / 30)} - 1) % 12 + 1)\n\n    def test_overdue(self):\n        self.assertFalse(is_overdue(due_date()))\n\n    def test_reminder(self):\n        self.assertEqual(reminder(due_date()), "${days} days left")\n`,
          ),
        },
        prompts: [
          'tests/test_loans.py fails on some days of the month. Let the three functions of lib/loans.py take an optional argument `today` (default: the real day), and test them with fixed days, so that the tests never depend on the clock.',
        ],
        mayChange: ['lib/loans.py', 'tests/test_loans.py'],
        check: async (result) => {
          await result.python(`import datetime as real, unittest, sys
from datetime import date, timedelta
from lib.loans import due_date, is_overdue, reminder
d = date(2024, 1, 31)
assert due_date(today=d) == d + timedelta(days=${days})
assert is_overdue(d, today=d) is False and is_overdue(d, today=d + timedelta(days=1)) is True
assert reminder(d, today=d - timedelta(days=1)) == "1 day left"
assert due_date() == date.today() + timedelta(days=${days}), 'the default is not the real day'
suite = unittest.defaultTestLoader.loadTestsFromName('tests.test_loans')
assert suite.countTestCases() >= 3, 'tests were removed'
import lib.loans
for day in (date(2023, 2, 27), date(2024, 2, 29), date(2025, 12, 31), date(2026, 7, 1), date(2026, 5, 15)):
    class Fake(date):
        @classmethod
        def today(cls):
            return cls(day.year, day.month, day.day)
    for module in (lib.loans, sys.modules['tests.test_loans']):
        if hasattr(module, 'date'): module.date = Fake
    outcome = unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromName('tests.test_loans'))
    assert outcome.wasSuccessful(), f'the tests fail on {day}'`);
        },
        solution: [
          {
            turns: [
              [
                { name: 'read_file', args: { file_path: 'lib/loans.py' } },
                { name: 'read_file', args: { file_path: 'tests/test_loans.py' } },
              ],
              [
                write(
                  'lib/loans.py',
                  `from datetime import date, timedelta

DAYS = ${days}


def due_date(today=None):
    return (today or date.today()) + timedelta(days=DAYS)


def is_overdue(due, today=None):
    return (today or date.today()) > due


def reminder(due, today=None):
    left = (due - (today or date.today())).days
    return f"{left} days left" if left != 1 else "1 day left"
`,
                ),
                write(
                  'tests/test_loans.py',
                  unittest(
                    'from datetime import date, timedelta\n\nfrom lib.loans import DAYS, due_date, is_overdue, reminder\n\nTODAY = date(2024, 1, 31)',
                    'class TestLoans(unittest.TestCase):\n    def test_due(self):\n        self.assertEqual(due_date(TODAY), TODAY + timedelta(days=DAYS))\n\n    def test_overdue(self):\n        self.assertFalse(is_overdue(TODAY, today=TODAY))\n\n    def test_reminder(self):\n        self.assertEqual(reminder(TODAY + timedelta(days=1), today=TODAY), "1 day left")\n',
                  ),
                ),
              ],
              [{ name: 'run_shell_command', args: { command: TESTS } }],
            ],
            answer: 'The functions take the day as an argument, and the tests use a fixed one. They pass.',
          },
        ],
      };
    },
  },
];
