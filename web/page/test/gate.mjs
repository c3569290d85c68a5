/**
 * Calls the compiled engine, for a comparison with the JVM.
 *
 *   node gate.mjs node|chromium ENGINE CALLS
 *
 * ENGINE is the folder with the compiled engine. Every line of the file CALLS is a call: `["run", "bully -n 3"]`. Every
 * line of the output is the digest of its answer. With `--text N`, the output is the whole answer of the Nth call.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startChromium } from './chromium.mjs'
import { digest } from './digest.mjs'
import { serve } from './server.mjs'

/** Calls of one message to the browser. */
const BATCH = 20

/** The engine in JavaScript. Node takes the file for a module by its ending. */
async function inNode(folder, calls, answer) {
  const home = mkdtempSync(join(tmpdir(), 'habemus-gate-'))
  try {
    const module = join(home, 'laboratory.mjs')
    copyFileSync(join(folder, 'laboratory.js'), module)
    const engine = await import(pathToFileURL(module).href)
    for (const [method, ...args] of calls) {
      answer(engine[method](...args, () => {}))
    }
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** Runs in a worker, as the engine does in the page: it has less stack than a page. */
async function answerCalls(folder) {
  globalThis.importScripts(`${folder}laboratory.wasm-runtime.js`)
  const engine = (await globalThis.TeaVM.wasmGC.load(`${folder}laboratory.wasm`)).exports
  globalThis.onmessage = ({ data }) => {
    globalThis.postMessage(data.map(([method, ...args]) => engine[method](...args, () => {})))
  }
  globalThis.postMessage('ready')
}

/** The engine in WebAssembly. */
async function inChromium(folder, calls, answer) {
  const server = await serve(folder)
  const browser = await startChromium()
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(0)
    await page.route('**/gate.html', (route) => route.fulfill({ contentType: 'text/html', body: '<title>gate</title>' }))
    await page.goto(`${server.address}gate.html`)
    await page.evaluate(
      async ([script, folder]) => {
        const worker = new Worker(URL.createObjectURL(new Blob([`(${script})('${folder}')`])))
        globalThis.next = (batch) =>
          new Promise((resolve, reject) => {
            worker.onmessage = ({ data }) => resolve(data)
            worker.onerror = (error) => reject(new Error(error.message))
            if (batch) {
              worker.postMessage(batch)
            }
          })
        await globalThis.next()
      },
      [`${answerCalls}`, server.address],
    )
    for (let i = 0; i < calls.length; i += BATCH) {
      const batch = calls.slice(i, i + BATCH)
      const answers = await page.evaluate((each) => globalThis.next(each), batch)
      answers.forEach(answer)
    }
  } finally {
    await browser.close()
    server.close()
  }
}

const [platform, folder, file, option, number] = process.argv.slice(2)
const all = readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line))
const calls = option === '--text' ? [all[Number(number)]] : all
const show = option === '--text' ? (text) => text : digest
const run = platform === 'node' ? inNode : inChromium
await run(resolve(folder), calls, (text) => process.stdout.write(`${show(text)}\n`))
