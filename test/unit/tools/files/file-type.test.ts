import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { detectFileType } from '../../../../extension/tools/files/file-type.ts';

const text = Buffer.from('plain text\n');
const binary = Buffer.from([0, 1, 2, 3, 0xfe, 0xff]);
const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
const jpeg = Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0', 'latin1');
const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1');
const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1');
const gif = Buffer.from('GIF89a\x01\0\x01\0', 'latin1');
const lfsPointer = Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n');

describe('file type', () => {
  const cases: readonly [title: string, path: string, head: Uint8Array, expected: string][] = [
    ['source', 'a.py', text, 'text'],
    ['no extension', 'Makefile', text, 'text'],
    ['empty', 'a.png', Buffer.alloc(0), 'text'],
    ['TypeScript is never video', 'a.ts', binary, 'text'],
    ['nor is .mts', 'a.mts', text, 'text'],
    ['nor is .cts', 'a.CTS', text, 'text'],
    ['SVG', 'a.svg', Buffer.from('<svg/>'), 'svg'],
    ['SVG in name only', 'a.svg', binary, 'binary'],
    ['PNG', 'a.PNG', png, 'image/png'],
    ['JPEG', 'a.jpg', jpeg, 'image/jpeg'],
    ['WebP', 'a.webp', webp, 'image/webp'],
    ['HEIC', 'a.heic', heic, 'image/heic'],
    ['JPEG under a wrong name', 'a.png', jpeg, 'image/jpeg'],
    ['damaged image', 'a.png', binary, 'binary'],
    ['image Gemini does not take', 'a.gif', gif, 'binary'],
    ['image Git LFS has not fetched', 'a.png', lfsPointer, 'text'],
    ['PDF', 'a.pdf', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
    ['PDF in name only', 'a.pdf', text, 'text'],
    ['audio', 'a.mp3', binary, 'audio/mpeg'],
    ['audio in name only', 'a.ogg', text, 'text'],
    ['video', 'a.mp4', binary, 'video/mp4'],
    ['video in name only', 'a.mpg', text, 'text'],
    ['program', 'a.exe', binary, 'binary'],
    ['no extension, binary', 'a', binary, 'binary'],
  ];
  for (const [title, path, head, expected] of cases) {
    it(`${title}: ${expected}`, () => {
      const type = detectFileType(path, head);
      assert.equal('mimeType' in type ? type.mimeType : type.kind, expected);
    });
  }
});
