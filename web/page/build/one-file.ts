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

/** The engine in WebAssembly, and the same in JavaScript for browsers without WebAssembly GC. Both have no room in one file. */
const FILES = {
  'lab.html': ['laboratory.wasm', 'laboratory.wasm-runtime.js'],
  'lab-javascript.html': ['laboratory.js'],
}

/**
 * Puts the script, the style, an engine and its data into one HTML file that works without a server: see FILES.
 *
 * Every part is a packed block: see `packed.ts`.
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
          ...dataBlocks(engine),
        ]
        const start = starter()
        for (const [fileName, parts] of Object.entries(FILES)) {
          const own = [...blocks, ...engineBlocks(engine, parts)]
          const elements = own.map((block) => element(block, cache))
          const source = assemble(page, elements, start)
          checkSize(fileName, source.length, own, elements)
          this.emitFile({ type: 'asset', fileName, source })
        }
      },
    },
  }
}

function element({ id, content }: Block, cache: string): Buffer {
  return Buffer.concat([ascii(`<script type="text/plain" id="${id}">`), pack(content, cache), ascii('</script>\n')])
}

function checkSize(fileName: string, total: number, blocks: Block[], elements: Buffer[]) {
  const lines = blocks.map(({ id, content }, i) =>
    `  ${id.padEnd(28)} ${String(content.length).padStart(9)} ${String(elements[i].length).padStart(8)}`,
  )
  const report = `${fileName}: ${total} bytes of at most ${MAX_BYTES}\n${lines.join('\n')}`
  if (total > MAX_BYTES) {
    throw new Error(`${report}\nhint: make the largest part smaller; the columns are bytes before and after packing`)
  }
  console.log(report)
}

function engineBlocks(folder: string, names: string[]): Block[] {
  return names
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => ({ id: name, content: readFileSync(join(folder, name)) }))
}

function dataBlocks(folder: string): Block[] {
  const data = join(folder, 'data')
  return existsSync(data)
    ? readdirSync(data).sort().map((name) => ({ id: `data/${name}`, content: readFileSync(join(data, name)) }))
    : []
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
