/** Makes the compiled engine smaller with Binaryen, in place. A mark beside it says that it is done. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'

/** What every browser with WebAssembly GC knows. Newer features of Binaryen would shut some of them out. */
const FEATURES = [
  'gc',
  'reference-types',
  'exception-handling',
  'bulk-memory',
  'nontrapping-float-to-int',
  'sign-ext',
  'mutable-globals',
  'multivalue',
]

const folder = resolve(process.env.HABEMUS_ENGINE ?? '../target/engine')
const module = join(folder, 'laboratory.wasm')
const mark = join(folder, 'laboratory.wasm.optimized')
const digest = () => createHash('sha256').update(readFileSync(module)).digest('hex')

if (!existsSync(mark) || readFileSync(mark, 'utf8') !== digest()) {
  const before = statSync(module).size
  const small = `${module}.part`
  const optimizer = resolve('node_modules/binaryen/bin/wasm-opt')
  const features = FEATURES.map((feature) => `--enable-${feature}`)
  execFileSync(process.execPath, [optimizer, ...features, '-Oz', module, '-o', small], { stdio: 'inherit' })
  renameSync(small, module)
  writeFileSync(mark, digest())
  console.log(`engine: ${before} bytes, optimized ${statSync(module).size}`)
}
