/** What is seen is in the address; a run leaves the page as a file. */
import { readFileSync } from 'node:fs'
import { equal, holds } from '../visit.mjs'

/** What the menu offers, and what the file begins with or has. */
const FILES = [
  ['Picture, SVG', '<svg'],
  ['PNG', 'PNG'],
  ['space-time diagram, GIF', 'GIF89a'],
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
      await visit.page.locator('.share summary').click()
      const download = visit.page.waitForEvent('download')
      await visit.page.locator('.share li button', { hasText: new RegExp(name, 'i') }).first().click()
      const text = readFileSync(await (await download).path(), 'latin1')
      holds(text.includes(content), `the file has no ${content}: ${text.slice(0, 200)}`)
    },
  ]),
)

export const tests = {
  ...downloads,

  'the link of a run gives the same picture': async (visit) => {
    await visit.open('#/run?c=maekawa+-n+3+--seed+4')
    for (let i = 1; i <= 4; i++) {
      await visit.button('Step').click()
      await visit.isAt(new RegExp(`event ${i} of`))
    }
    await visit.hasAddress('at=')
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
    await visit.page.locator('.share summary').click()
    const download = visit.page.waitForEvent('download')
    await visit.page.locator('.share li button', { hasText: /trace/i }).first().click()
    const path = await (await download).path()
    await visit.open('#/run?c=central+-n+2')
    await visit.page.locator('.share input[type=file]').setInputFiles({
      name: 'bully.jsonl',
      mimeType: 'application/x-ndjson',
      buffer: readFileSync(path),
    })
    await visit.page.waitForFunction(() => /[?&]t~?=/.test(location.hash))
    await visit.ready()
    await visit.button('To the end').click()
    await visit.isAtEnd()
  },
}
