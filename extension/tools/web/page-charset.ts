/** Where HTML looks for a `meta` with the charset, too (https://html.spec.whatwg.org/#prescan-a-byte-stream). */
const META_RANGE = 1024;

/** By byte order mark, then header, then `meta`; else UTF-8 if it is that, or what the web's oldest pages are in. */
export function decodePage(body: Buffer, contentType: string | undefined): string {
  const named = markedCharset(body) ?? charsetIn(contentType) ?? metaCharset(body);
  const decoder = decoderFor(named);
  if (decoder) return decoder.decode(body);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return new TextDecoder('windows-1252').decode(body);
  }
}

function markedCharset(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : undefined;
}

function charsetIn(text = ''): string | undefined {
  return /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(text)?.[1];
}

/** What can be read as ASCII is not UTF-16, whatever it says of itself. */
function metaCharset(body: Buffer): string | undefined {
  const meta = /<meta\b[^>]{0,500}/i.exec(body.toString('latin1', 0, META_RANGE))?.[0];
  const charset = charsetIn(meta);
  return charset?.toLowerCase().startsWith('utf-16') ? 'utf-8' : charset;
}

function decoderFor(charset: string | undefined): TextDecoder | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}
