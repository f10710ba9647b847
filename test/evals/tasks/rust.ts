import { changesNothing } from '../behaviours.ts';
import { edit, explain, solve, type Task } from '../task.ts';

const CRATE = {
  'Cargo.toml': '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n',
  '.gitignore': 'target\n',
};

export const RUST_TASKS: readonly Task[] = [
  {
    id: 'rs-char-boundary',
    language: 'Rust',
    kind: 'bug',
    level: 1,
    needs: ['rustc'],
    make: (vary) => {
      const mark = vary.pick(['…', '..', '~']);
      return {
        files: {
          ...CRATE,
          'src/lib.rs': `/// The first \`max\` characters, with a mark if something was left out.
pub fn shorten(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_string();
    }
    format!("{}${mark}", &text[..max])
}
`,
        },
        prompts: ['shorten("Äpfel", 1) panics. Fix it; max counts characters, not bytes.'],
        mayChange: ['src/lib.rs', 'Cargo.lock'],
        check: async (result) => {
          await result.rust(`use subject::shorten;
fn main() {
    assert_eq!(shorten("Äpfel", 1), "Ä${mark}");
    assert_eq!(shorten("Äpfel", 5), "Äpfel");
    assert_eq!(shorten("äöü", 3), "äöü");
    assert_eq!(shorten("abcdef", 2), "ab${mark}");
    assert_eq!(shorten("", 0), "");
}`);
        },
        solution: [
          solve(
            [
              edit('src/lib.rs', 'text.len() <= max', 'text.chars().count() <= max'),
              edit(
                'src/lib.rs',
                `format!("{}${mark}", &text[..max])`,
                `text.chars().take(max).collect::<String>() + "${mark}"`,
              ),
            ],
            ['rustc --edition 2021 --crate-type lib --emit=metadata --out-dir target src/lib.rs'],
            'It counts and cuts characters now.',
          ),
        ],
      };
    },
  },
  {
    id: 'rs-parse-duration',
    language: 'Rust',
    kind: 'feature',
    level: 2,
    needs: ['rustc'],
    make: () => ({
      files: {
        ...CRATE,
        'src/lib.rs': `/// Reads a duration such as "90s", and returns seconds.
pub fn seconds(text: &str) -> Result<u64, String> {
    let number = text.strip_suffix('s').ok_or_else(|| format!("no unit: {text}"))?;
    number.parse().map_err(|_| format!("no number: {text}"))
}
`,
      },
      prompts: [
        'Let seconds() also understand minutes, hours and days, and combinations from large to small: "2h30m", "1d", "1m5s". Wrong order, a repeated unit, an empty text, a missing number or unit, and an overflow are errors, never a panic.',
      ],
      mayChange: ['src/lib.rs', 'Cargo.lock'],
      check: async (result) => {
        await result.rust(`use subject::seconds;
fn main() {
    for (text, wanted) in [("90s", 90), ("2h30m", 9000), ("1d", 86400), ("1m5s", 65), ("1d1h1m1s", 90061), ("0s", 0)] {
        assert_eq!(seconds(text), Ok(wanted), "{text}");
    }
    for text in ["", "s", "5", "30m2h", "1h1h", "1h5", "h1", "1x", "-1s", "1 h", "99999999999999999999d", "18446744073709551615d", "ä", "1ä", "18446744073709551615s1s", "213503982334601d23h59m59s"] {
        assert!(seconds(text).is_err(), "{text}");
    }
}`);
      },
      solution: [
        solve(
          [
            edit(
              'src/lib.rs',
              `/// Reads a duration such as "90s", and returns seconds.`,
              `const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];\n\n/// Reads a duration such as "90s" or "2h30m", and returns seconds.`,
            ),
            edit(
              'src/lib.rs',
              `    let number = text.strip_suffix('s').ok_or_else(|| format!("no unit: {text}"))?;
    number.parse().map_err(|_| format!("no number: {text}"))
`,
              `    let wrong = |what: &str| format!("{what}: {text}");
    if text.is_empty() {
        return Err(wrong("empty"));
    }
    let (mut rest, mut total, mut units) = (text, 0u64, &UNITS[..]);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(|| wrong("no unit"))?;
        let number: u64 = rest[..end].parse().map_err(|_| wrong("no number"))?;
        let unit = rest[end..].chars().next().ok_or_else(|| wrong("no unit"))?;
        let index = units.iter().position(|(name, _)| *name == unit).ok_or_else(|| wrong("unexpected unit"))?;
        let part = number.checked_mul(units[index].1).ok_or_else(|| wrong("too large"))?;
        total = total.checked_add(part).ok_or_else(|| wrong("too large"))?;
        units = &units[index + 1..];
        rest = &rest[end + unit.len_utf8()..];
    }
    Ok(total)
`,
            ),
          ],
          ['rustc --edition 2021 --crate-type lib --emit=metadata --out-dir target src/lib.rs'],
          'All four units work, in combinations from large to small.',
        ),
      ],
    }),
  },
  {
    id: 'rs-no-clone',
    language: 'Rust',
    kind: 'refactoring',
    level: 2,
    needs: ['rustc'],
    make: () => ({
      files: {
        ...CRATE,
        'src/lib.rs': `pub struct Entry {
    pub name: String,
    pub score: i32,
}

/// The entry with the highest score; the first of equal ones.
pub fn best(entries: Vec<Entry>) -> Option<Entry> {
    let mut best: Option<Entry> = None;
    for entry in &entries {
        if best.is_none() || entry.score > best.as_ref().unwrap().score {
            best = Some(Entry { name: entry.name.clone(), score: entry.score });
        }
    }
    best
}
`,
      },
      prompts: [
        'best() takes the whole list away from its caller and copies names. Let it borrow: it takes a slice and returns a reference, without clone and without unwrap. Which entry wins stays the same.',
      ],
      mayChange: ['src/lib.rs', 'Cargo.lock'],
      check: async (result) => {
        const source = await result.read('src/lib.rs');
        if (/\.clone\(|\.unwrap\(|to_owned|to_string/.test(source)) throw new Error('It still copies or unwraps.');
        await result.rust(`use subject::{best, Entry};
fn main() {
    let entry = |name: &str, score| Entry { name: name.to_string(), score };
    let all = vec![entry("a", 1), entry("b", 5), entry("c", 5), entry("d", -2)];
    let found: Option<&Entry> = best(&all);
    assert!(std::ptr::eq(found.unwrap(), &all[1]), "another entry wins");
    assert!(best(&[]).is_none());
    assert_eq!(best(&[entry("only", i32::MIN)]).unwrap().name, "only");
}`);
      },
      solution: [
        solve(
          [
            edit(
              'src/lib.rs',
              `pub fn best(entries: Vec<Entry>) -> Option<Entry> {
    let mut best: Option<Entry> = None;
    for entry in &entries {
        if best.is_none() || entry.score > best.as_ref().unwrap().score {
            best = Some(Entry { name: entry.name.clone(), score: entry.score });
        }
    }
    best
}`,
              `pub fn best(entries: &[Entry]) -> Option<&Entry> {
    // \`max_by_key\` returns the last of equal ones, so the list is read from its end.
    entries.iter().rev().max_by_key(|entry| entry.score)
}`,
            ),
          ],
          ['rustc --edition 2021 --crate-type lib --emit=metadata --out-dir target src/lib.rs'],
          'best() borrows now.',
        ),
      ],
    }),
  },
  {
    id: 'rs-integer-question',
    language: 'Rust',
    kind: 'question',
    level: 2,
    make: (vary) => {
      const width = vary.int(3, 6);
      return {
        files: {
          ...CRATE,
          'src/lib.rs': `pub mod grid;\n\npub const WIDTH: u8 = ${width * 40};\n`,
          'src/grid.rs': `use crate::WIDTH;

/// The index of a cell in the list of all cells.
pub fn index(x: u8, y: u8) -> usize {
    (y * WIDTH + x) as usize
}
`,
        },
        prompts: [
          'index(0, 1) of src/grid.rs works, but index(0, 3) panics in debug builds and returns nonsense in release builds. Why? What is the smallest change? Do not change anything, just tell me.',
        ],
        mayChange: [],
        behaviours: [changesNothing()],
        check: async (result) => {
          result.says(/overflow/i, /\bu8\b/, /as usize|usize::from|\.into\(\)/);
        },
        solution: [
          explain(
            ['src/grid.rs', 'src/lib.rs'],
            'y * WIDTH is computed as u8 and overflows above 255, before the cast. Convert first: `y as usize * WIDTH as usize + x as usize`.',
          ),
        ],
      };
    },
  },
];
