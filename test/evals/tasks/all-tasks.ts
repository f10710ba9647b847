import type { Task } from '../task.ts';
import { CONDUCT_TASKS } from './conduct.ts';
import { FLAKY_TASKS } from './flaky.ts';
import { GO_TASKS } from './go.ts';
import { HTML_TASKS } from './html.ts';
import { LARGE_TASKS } from './large.ts';
import { MERGE_TASKS } from './merges.ts';
import { PYTHON_TASKS } from './python.ts';
import { READING_TASKS } from './reading.ts';
import { REFACTORING_TASKS } from './refactorings.ts';
import { RUST_TASKS } from './rust.ts';
import { SHELL_TASKS } from './shell.ts';
import { TRUST_TASKS } from './trust.ts';
import { TYPESCRIPT_TASKS } from './typescript.ts';

export const TASKS: readonly Task[] = [
  ...TYPESCRIPT_TASKS,
  ...REFACTORING_TASKS,
  ...PYTHON_TASKS,
  ...FLAKY_TASKS,
  ...GO_TASKS,
  ...RUST_TASKS,
  ...SHELL_TASKS,
  ...HTML_TASKS,
  ...READING_TASKS,
  ...MERGE_TASKS,
  ...LARGE_TASKS,
  ...TRUST_TASKS,
  ...CONDUCT_TASKS,
];
