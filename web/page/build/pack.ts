import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compress } from 'lzma'
import { ESCAPE, SHIFT, UNSAFE } from '../src/engine/packed'

/** The slowest and densest. */
const MODE = 9

/** Encodes content for a block of the one file, as `packed.ts` decodes it. The folder keeps what was compressed before. */
export function pack(content: Buffer, cache: string): Buffer {
  const file = join(cache, `${createHash('sha256').update(content).digest('hex')}.lzma`)
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true })
    writeFileSync(file, Buffer.from(compress(content, MODE)))
  }
  const bytes: number[] = []
  for (const byte of readFileSync(file)) {
    if (UNSAFE.includes(byte)) {
      bytes.push(ESCAPE, byte + SHIFT)
    } else {
      bytes.push(byte)
    }
  }
  return Buffer.from(bytes)
}
