/** VS Code takes no edit of a document while it reads it again, and does not say when it is done. */
const WAIT_MS = 50;

/** Ten seconds: no document is read again for that long, so the edit will never be accepted. */
const ATTEMPTS = 200;

/** Repeats an edit as long as VS Code is busy, which is undefined. Undefined when that has no end. */
export async function whileBusy(
  edit: () => Promise<boolean | undefined>,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<boolean | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const outcome = await edit();
    if (outcome !== undefined) return outcome;
    await wait(WAIT_MS);
  }
  return undefined;
}
