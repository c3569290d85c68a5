/**
 * The encoding of the blocks in the one-file build: LZMA, of which every byte is a character of windows-1252.
 *
 * The file declares that encoding, and all else in it is ASCII. HTML changes or ends at a few characters. Such a byte is
 * moved by 64, and `=` stands before it.
 */
import { decodeLzma } from './lzma'

const ENCODING = 'windows-1252'

/** NUL, line feed, carriage return, `<` and `=`. */
export const UNSAFE = [0, 10, 13, 60, 61]
export const ESCAPE = 61
export const SHIFT = 64

export function unpack(text: string): Uint8Array<ArrayBuffer> {
  return decodeLzma(bytes(text))
}

function bytes(text: string): Uint8Array {
  const byteOf = byteOfCharacter()
  const output = new Uint8Array(text.length)
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    output[at++] = code === ESCAPE ? text.charCodeAt(++i) - SHIFT : code < 128 ? code : byteOf.get(code)!
  }
  return output.subarray(0, at)
}

function byteOfCharacter(): Map<number, number> {
  const all = new TextDecoder(ENCODING).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  return new Map(Array.from(all, (character, byte) => [character.charCodeAt(0), byte]))
}
