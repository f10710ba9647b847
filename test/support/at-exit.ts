const cleanups = new Set<() => void>();
let installed = false;

/**
 * Runs `cleanup` when this process ends, unless it is killed with SIGKILL. It must be synchronous. Returns a function
 * that unregisters it.
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
    // Later resources may use earlier ones, so they are released first.
    for (const cleanup of [...cleanups].reverse()) {
      cleanup();
    }
  });
  // A signal ends the process without running 'exit' listeners; calling `process.exit` runs them.
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
}
