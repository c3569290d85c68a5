/** What is seen is in the address; a run leaves the page as a file. */
import { readFileSync } from 'node:fs'
import { equal, holds } from '../visit.mjs'

/** Three nodes with the bully algorithm: `habemus up -n 3 --election bully --record`, then `validate --trace`. */
const RECORDED = new URL('../recorded.jsonl', import.meta.url)

/** What the menu offers, what the file begins with or has, and whether it has no text. */
const FILES = [
  ['Picture, SVG', '<svg'],
  ['PNG', 'PNG', true],
  ['space-time diagram, GIF', 'GIF89a', true],
  ['Mermaid', 'sequenceDiagram'],
  ['Trace', '"what"'],
  ['Scenario', 'run central -n 3'],
  ['ShiViz', 'n1'],
]

const downloads = Object.fromEntries(
  FILES.map(([name, content]) => [
    `a run is saved as ${name}`,
    async (visit) => {
      await visit.open('#/run?c=central+-n+3')
      const text = await save(visit, name)
      holds(text.includes(content), `the file has no ${content}: ${text.slice(0, 200)}`)
    },
  ]),
)

/** The file that an item of the menu writes. */
async function save(visit, name) {
  await visit.page.locator('.share summary').click()
  const download = visit.page.waitForEvent('download')
  await visit.page.locator('.share li button', { hasText: new RegExp(name, 'i') }).first().click()
  return readFileSync(await (await download).path(), 'latin1')
}

export const tests = {
  ...downloads,

  'names of nodes are used in every file': async (visit) => {
    await visit.open('#/run?c=central+-n+3+--names+Coordenador,Part1,Part2')
    for (const [name] of FILES.filter(([, , isPicture]) => !isPicture)) {
      const text = await save(visit, name)
      holds(text.includes('Coordenador'), `${name}: ${text.slice(0, 200)}`)
    }
  },

  'the link of a run gives the same picture': async (visit) => {
    await visit.open('#/run?c=maekawa+-n+3+--seed+4')
    for (let i = 1; i <= 4; i++) {
      await visit.button('Step').click()
      await visit.isAt(new RegExp(`event ${i} of`))
    }
    const [position, events] = [await visit.position(), await visit.page.locator('.transport .now').innerText()]
    const guest = await visit.another()
    try {
      await guest.page.goto(await visit.link())
      await guest.ready()
      await guest.isAt(position)
      equal(await guest.page.locator('.transport .now').innerText(), events, 'the event at the cursor')
      const nodes = (each) => each.page.locator('.topology svg').first().textContent()
      equal(await nodes(guest), await nodes(visit), 'the texts of the topology')
    } finally {
      await guest.close()
    }
  },

  'a broken link says so': async (visit) => {
    await visit.open('#/run?c~=%%%')
    await visit.page.locator('[role=alert], [role=status].notice, .notice').first().waitFor()
  },

  'a saved trace opens again': async (visit) => {
    await visit.open('#/run?c=bully+-n+3')
    const trace = await save(visit, 'trace')
    await visit.open('#/run?c=central+-n+2')
    await openTrace(visit, trace)
    await visit.button('To the end').click()
    await visit.isAtEnd()
  },

  'a trace of real nodes opens, and so does its link': async (visit) => {
    await visit.open('#/run?c=central+-n+2')
    await openTrace(visit, readFileSync(RECORDED, 'latin1'))
    await visit.button('To the end').click()
    await visit.isAtEnd()
    await visit.sees('.run', 'two at once')
    const guest = await visit.another()
    try {
      await guest.page.goto(await visit.link())
      await guest.ready()
      await guest.isAt(await visit.position())
    } finally {
      await guest.close()
    }
  },
}

async function openTrace(visit, trace) {
  await visit.page.locator('.share input[type=file]').setInputFiles({
    name: 'trace.jsonl',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(trace, 'latin1'),
  })
  await visit.page.waitForFunction(() => /[?&]t~?=/.test(location.hash))
  await visit.ready()
}
