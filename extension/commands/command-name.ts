const MAX_SEGMENT = 50;

/** `git/commit.toml` is "git:commit". What a name cannot have is an underscore, as in Gemini CLI. */
export function commandName(relativePath: string): string {
  const segments = relativePath.replace(/\.toml$/i, '').split(/[\\/]/);
  return segments.map((segment) => shortened(segment.replace(/[^\w.-]/g, '_'))).join(':');
}

function shortened(segment: string): string {
  return segment.length > MAX_SEGMENT ? `${segment.slice(0, MAX_SEGMENT - 3)}...` : segment;
}
