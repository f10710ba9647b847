/** Names with a dot: what has none is no host of the internet, and words of a sentence would count as one. */
const HOST = '((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.){1,20}[a-z0-9][a-z0-9-]{0,61}[a-z0-9])';

/** How programs say which host they could not find. */
const NOT_FOUND: readonly RegExp[] = [
  // curl, git, cargo, ssh, apt.
  `could not resolve (?:host(?:name)?:? |')${HOST}`,
  // wget.
  `unable to resolve host address .?${HOST}`,
  // Node and what is made with it.
  `(?:ENOTFOUND|EAI_AGAIN) ${HOST}`,
  // Go.
  `\\blookup ${HOST}`,
  // pip, and others that use urllib3.
  `failed to resolve '${HOST}`,
  `ConnectionPool\\(host='${HOST}'.{0,400}?name (?:resolution|or service not known)`,
  // cargo, apt.
  `(?:failed to resolve address for|temporary failure resolving) '?${HOST}`,
  // Java.
  `\\bunknown ?host(?:exception:)? ${HOST}`,
  // Ruby.
  `open TCP connection to ${HOST}`,
  // ping and much else that is written in C.
  `\\b${HOST}: (?:temporary failure in name resolution|name or service not known)`,
].map((pattern) => new RegExp(pattern, 'gi'));

/** The end of it: programs say last why they give up. */
const MAX_CHARS = 20_000;
const MAX_HOSTS = 5;

/** The hosts that a program says it could not find: a guess from its words. */
export function hostsInOutput(output: string): readonly string[] {
  const end = output.slice(-MAX_CHARS);
  const found = NOT_FOUND.flatMap((pattern) => [...end.matchAll(pattern)].map(([, host = '']) => host.toLowerCase()));
  return [...new Set(found)].slice(0, MAX_HOSTS);
}
