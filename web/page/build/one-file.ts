import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import type { Plugin } from 'vite'
import { pack } from './pack'

const MAX_BYTES = 800_000

interface Block {
  id: string
  content: Buffer
}

/**
 * Puts the script, the style, the engine and its data into one HTML file that works without a server.
 *
 * Every part is a packed block: see `packed.ts`. The engine compiled to JavaScript is left out: it would double the size
 * of the file.
 */
export function oneFile(engine: string, cache: string): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        let page = ''
        let script = ''
        let style = ''
        for (const [name, part] of Object.entries(bundle)) {
          if (part.type === 'chunk') {
            script += part.code
          } else if (name.endsWith('.css')) {
            style += part.source
          } else if (name.endsWith('.html')) {
            page = String(part.source)
          }
          delete bundle[name]
        }
        const blocks = [
          { id: 'page-style', content: Buffer.from(style) },
          { id: 'page-script', content: Buffer.from(script) },
          ...engineBlocks(engine),
        ]
        const sizes: [string, number, number][] = []
        const elements = blocks.map(({ id, content }) => {
          const packed = pack(content, cache)
          sizes.push([id, content.length, packed.length])
          return Buffer.concat([ascii(`<script type="text/plain" id="${id}">`), packed, ascii('</script>\n')])
        })
        const source = assemble(page, elements, starter())
        checkSize(source.length, sizes)
        this.emitFile({ type: 'asset', fileName: 'lab.html', source })
      },
    },
  }
}

function checkSize(total: number, parts: [string, number, number][]) {
  const lines = parts.map(([id, raw, packed]) => `  ${id.padEnd(28)} ${String(raw).padStart(9)} ${String(packed).padStart(8)}`)
  const report = `lab.html: ${total} bytes of at most ${MAX_BYTES}\n${lines.join('\n')}`
  if (total > MAX_BYTES) {
    throw new Error(`${report}\nhint: make the largest part smaller; the columns are bytes before and after packing`)
  }
  console.log(report)
}

function engineBlocks(folder: string): Block[] {
  const names = ['laboratory.wasm', 'laboratory.wasm-runtime.js']
  const data = join(folder, 'data')
  if (existsSync(data)) {
    names.push(...readdirSync(data).sort().map((name) => `data/${name}`))
  }
  return names
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => ({ id: name, content: readFileSync(join(folder, name)) }))
}

function starter(): string {
  const built = buildSync({
    entryPoints: [new URL('../src/starter.ts', import.meta.url).pathname],
    bundle: true,
    minify: true,
    write: false,
    charset: 'ascii',
    format: 'iife',
    target: 'es2022',
  })
  return built.outputFiles[0].text.trim()
}

function assemble(page: string, blocks: Buffer[], script: string): Buffer {
  const [head, tail] = page
    .replace(/<meta charset="[^"]*" *\/?>/, '<meta charset="windows-1252">')
    .replace(/<script type="module"[^>]*><\/script>/g, '')
    .replace(/<script[^>]*src="[^"]*"[^>]*><\/script>/g, '')
    .replace(/<link rel="stylesheet"[^>]*>/g, '')
    .split('</body>')
  return Buffer.concat([ascii(head), ...blocks, ascii(`<script>${script}</script>\n</body>${tail}`)])
}

/** The same in every encoding. */
function ascii(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length !== text.length) {
    throw new Error('the frame of the one file must be ASCII')
  }
  return bytes
}
