/**
 * Tests of the page in Chromium.
 *
 *   node browser.mjs FOLDER [PART OF A NAME]
 *
 * FOLDER has the built page: `page/`, `lab.html` and `lab-javascript.html`. Every line of the output is a test: `{"name", "failure"}`, with an
 * empty failure if it passed.
 */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as access from './cases/access.mjs'
import * as check from './cases/check.mjs'
import * as gallery from './cases/gallery.mjs'
import * as interfere from './cases/interfere.mjs'
import * as pages from './cases/pages.mjs'
import * as run from './cases/run.mjs'
import * as share from './cases/share.mjs'
import { startChromium } from './chromium.mjs'
import { serve } from './server.mjs'
import { Visit } from './visit.mjs'

/** These need the same page from a server and from a file. */
const IN_BOTH = [pages, run, check, interfere, share]
const SERVED_ONLY = [gallery, access]
/** Much of a test is waiting. */
const AT_ONCE = 2

const [folder, wanted = ''] = process.argv.slice(2)
const fileAddress = (name) => pathToFileURL(join(resolve(folder), name)).href
const server = await serve(join(folder, 'page'))
const builds = [
  { name: 'served', address: server.address, cases: [...IN_BOTH, ...SERVED_ONLY], hasBothEngines: true },
  { name: 'one file', address: fileAddress('lab.html'), cases: IN_BOTH, isOffline: true },
  {
    name: 'one file with JavaScript',
    address: fileAddress('lab-javascript.html'),
    cases: [{ tests: pages.javaScriptTests }],
    isOffline: true,
  },
]
const browser = await startChromium()

async function failureOf(build, steps) {
  const visit = await Visit.start(browser, build)
  try {
    await steps(visit)
    return visit.errors.length > 0 ? `the console has errors: ${visit.errors.join('; ')}` : ''
  } catch (error) {
    return [`${error.message}`, `at ${visit.page.url()}`, ...visit.errors].join('\n')
  } finally {
    await visit.close()
  }
}

const waiting = builds.flatMap((build) =>
  build.cases
    .flatMap(({ tests }) => Object.entries(tests))
    .map(([title, steps]) => ({ build, name: `${build.name}: ${title}`, steps }))
    .filter(({ name }) => name.includes(wanted)),
)

async function runWaiting() {
  for (let test = waiting.shift(); test; test = waiting.shift()) {
    console.log(JSON.stringify({ name: test.name, failure: await failureOf(test.build, test.steps) }))
  }
}

try {
  await Promise.all(Array.from({ length: AT_ONCE }, runWaiting))
} finally {
  await browser.close()
  server.close()
}
