const cleanups = new Set<() => void>();
let installed = false;

/**
 * Runs `cleanup` when this process ends, however it ends short of SIGKILL. Must be synchronous. The answer takes it back.
 */
export function atExit(cleanup: () => void): () => void {
  install();
  cleanups.add(cleanup);
  return () => {
    cleanups.delete(cleanup);
  };
}

function install(): void {
  if (installed) {
    return;
  }
  installed = true;
  process.once('exit', () => {
    // What was made last may use what was made before.
    for (const cleanup of [...cleanups].reverse()) {
      cleanup();
    }
  });
  // A signal ends the process without 'exit' listeners; leaving by ourselves runs them.
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
}
