/**
 * Measures the built page in Chromium, and the engine in Chromium and in Node.
 *
 *   node speed.mjs FOLDER ROUNDS STEPS_COMMAND CHECK_COMMAND
 *
 * FOLDER has the built page: `page/`, `engine/` and `lab.html`. The output is one line of JSON: the name of each figure
 * with its value. Rates are the best of the rounds, because everything else on the machine only slows them down.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startChromium } from './chromium.mjs'
import { serve } from './server.mjs'
import { Visit } from './visit.mjs'

/** Every node requests at once: several hundred messages are in flight for a while. */
const CROWDED = '#/run?c=ricart-agrawala+-n+12+--latency+uniform:20..200&v=topology'
const MOST_MOVING = 60
const LEAST_MOVING = 50
const PLAYING_MILLIS = 1_500

/** A run of more than 3,000 steps. */
const LONG = '#/run?c=ricart-agrawala+-n+16+--entries+7'
const LEAST_STEPS = 3_000
const SCRUBS = 120

const [folder, rounds, stepsCommand, checkCommand] = process.argv.slice(2)
const root = resolve(folder)
const figures = {}

function best(name, value) {
  figures[name] = Math.max(figures[name] ?? 0, value)
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

/** Runs here and, as text, in the browser: calls both commands and returns their rates a second. */
function rates(engine, stepsCommand, checkCommand) {
  const timed = (call) => {
    const start = performance.now()
    const answer = JSON.parse(call())
    if (answer.error) {
      throw new Error(answer.error)
    }
    return [answer, (performance.now() - start) / 1000]
  }
  const [run, runSeconds] = timed(() => engine.steps(stepsCommand))
  const [check, checkSeconds] = timed(() => engine.check(checkCommand, String(2 ** 30), () => {}))
  return { steps: run.steps / runSeconds, states: check.states / checkSeconds }
}

async function measureNode() {
  const home = mkdtempSync(join(tmpdir(), 'habemus-speed-'))
  try {
    const module = join(home, 'laboratory.mjs')
    copyFileSync(join(root, 'engine', 'laboratory.js'), module)
    const engine = await import(pathToFileURL(module).href)
    for (let round = 0; round < rounds; round++) {
      const { steps, states } = rates(engine, stepsCommand, checkCommand)
      best('nodeSteps', steps)
      best('nodeStates', states)
    }
  } finally {
    rmSync(home, { recursive: true })
  }
}

async function measureEngine(browser) {
  const server = await serve(join(root, 'engine'))
  const page = await browser.newPage()
  try {
    page.setDefaultTimeout(0)
    await page.route('**/speed.html', (route) => route.fulfill({ contentType: 'text/html', body: '<title>speed</title>' }))
    await page.goto(`${server.address}speed.html`)
    await page.addScriptTag({ url: `${server.address}laboratory.wasm-runtime.js` })
    await page.evaluate(`globalThis.rates = ${rates}`)
    await page.evaluate(async () => {
      globalThis.engine = (await globalThis.TeaVM.wasmGC.load('laboratory.wasm')).exports
    })
    for (let round = 0; round < rounds; round++) {
      const { steps, states } = await page.evaluate(
        ([first, second]) => globalThis.rates(globalThis.engine, first, second),
        [stepsCommand, checkCommand],
      )
      best('chromiumSteps', steps)
      best('chromiumStates', states)
    }
  } finally {
    await page.close()
    server.close()
  }
}

/** Milliseconds from the navigation until the first run is shown. */
async function readyMillis(browser, build) {
  const times = []
  for (let round = 0; round < rounds; round++) {
    const visit = await Visit.start(browser, build)
    await visit.page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.documentElement?.dataset.ready !== undefined && document.querySelector('.transport')) {
          globalThis.readyAt ??= performance.now()
        }
      }).observe(document, { subtree: true, childList: true, attributes: true })
    })
    await visit.page.goto(`${build.address}#/run`)
    await visit.page.waitForFunction(() => globalThis.readyAt !== undefined)
    times.push(await visit.page.evaluate(() => globalThis.readyAt))
    await visit.close()
  }
  return median(times)
}

/** Runs in the page. The times between frames while `act` runs, which is called at every frame until it returns false. */
function frames(act) {
  return new Promise((done) => {
    const gaps = []
    let last = performance.now()
    const frame = () => {
      const now = performance.now()
      gaps.push(now - last)
      last = now
      if (act(now)) {
        requestAnimationFrame(frame)
      } else {
        done(gaps.slice(1))
      }
    }
    requestAnimationFrame(frame)
  })
}

/** Frames a second while at least LEAST_MOVING messages move, without the longest hundredth of the frames. */
async function measurePlaying(visit) {
  const { page } = visit
  await visit.open(CROWDED)
  await page.evaluate(`globalThis.frames = ${frames}`)
  const at = await page.evaluate(
    async ([least, most]) => {
      const slider = document.querySelector('.transport input[type=range]')
      const count = () => document.querySelectorAll('.topology .messages > g').length
      for (let share = 0; share < 1; share += 0.002) {
        slider.value = String(share * Number(slider.max))
        slider.dispatchEvent(new Event('input', { bubbles: true }))
        await new Promise((shown) => requestAnimationFrame(shown))
        if (count() >= least && count() <= most) {
          return count()
        }
      }
      return 0
    },
    [LEAST_MOVING, MOST_MOVING],
  )
  if (at === 0) {
    throw new Error(`at no time ${LEAST_MOVING} to ${MOST_MOVING} messages move`)
  }
  const { gaps, moving } = await page.evaluate(async (millis) => {
    const start = performance.now()
    const counts = []
    document.querySelector('.transport .play').click()
    const gaps = await globalThis.frames((now) => {
      counts.push(document.querySelectorAll('.topology .messages > g').length)
      return now - start < millis
    })
    return { gaps, moving: counts }
  }, PLAYING_MILLIS)
  figures.moving = median(moving)
  figures.framesPerSecond = (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0)
  figures.slowFrames = gaps.filter((gap) => gap > 25).length / gaps.length
}

/** The longest frame while the slider is dragged over a long run, and the median. */
async function measureScrubbing(visit) {
  const { page } = visit
  await visit.open(LONG)
  const steps = await page.evaluate(() => Number(document.querySelector('.transport .count').textContent.match(/of (\d+)/)[1]))
  if (steps < LEAST_STEPS) {
    throw new Error(`the long run has only ${steps} steps`)
  }
  await page.evaluate(`globalThis.frames = ${frames}`)
  const gaps = await page.evaluate(async (scrubs) => {
    const slider = document.querySelector('.transport input[type=range]')
    let i = 0
    return globalThis.frames(() => {
      const share = 0.5 - 0.5 * Math.cos((i * 2 * Math.PI) / scrubs)
      slider.value = String(share * Number(slider.max))
      slider.dispatchEvent(new Event('input', { bubbles: true }))
      return i++ < scrubs
    })
  }, SCRUBS)
  figures.scrubbedSteps = steps
  figures.scrubLongest = Math.min(figures.scrubLongest ?? Infinity, Math.max(...gaps))
  figures.scrubMedian = median(gaps)
}

const server = await serve(join(root, 'page'))
const served = { name: 'served', address: server.address }
const file = { name: 'one file', address: pathToFileURL(join(root, 'lab.html')).href }
const browser = await startChromium()
try {
  figures.browser = `Chromium ${browser.version()}`
  figures.node = `Node ${process.versions.node}`
  await measureNode()
  await measureEngine(browser)
  figures.readyServed = await readyMillis(browser, served)
  figures.readyFile = await readyMillis(browser, file)
  const visit = await Visit.start(browser, served)
  await measurePlaying(visit)
  for (let round = 0; round < rounds; round++) {
    await measureScrubbing(visit)
  }
  await visit.close()
  console.log(JSON.stringify(figures))
} finally {
  await browser.close()
  server.close()
}
