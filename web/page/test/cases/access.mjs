/** Every page is usable with a screen reader, on a phone, in the light and in the dark. */
import { createRequire } from 'node:module'
import { PAGES } from './pages.mjs'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const PHONE = { width: 360, height: 740 }
const SHOWN = Object.fromEntries(PAGES.map((name) => [name, `#/${name}`]))
SHOWN['run of a replicated log'] = '#/run?c=raft+-n+3&at=40'
SHOWN['finished check'] = '#/check?c=ricart-agrawala-by-priority+-n+3&start=1'
SHOWN.tour = '#/gallery?s=ra-priority'

export const tests = Object.fromEntries(
  Object.entries(SHOWN).map(([name, hash]) => [`usable by all: ${name}`, (visit) => isUsable(visit, hash)]),
)

async function isUsable(visit, hash) {
  await visit.open(hash)
  await visit.page.locator('main h1, main h2').first().waitFor()
  await findViolations(visit)
  await visit.page.emulateMedia({ colorScheme: 'dark' })
  await findViolations(visit)
  await visit.page.setViewportSize(PHONE)
  await fits(visit)
}

async function findViolations({ page }) {
  await page.addScriptTag({ path: AXE })
  await page.waitForFunction(() => document.getAnimations().length === 0)
  const violations = await page.evaluate(async () => (await globalThis.axe.run()).violations)
  if (violations.length > 0) {
    const lines = violations.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.length} × ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    )
    throw new Error(lines.join('\n'))
  }
}

async function fits({ page }) {
  const wide = await page.evaluate(() => {
    const limit = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= limit) {
      return ''
    }
    const names = [...document.querySelectorAll('main *, header *')]
      .filter((each) => each.getBoundingClientRect().right > limit + 1)
      .map((each) => `${each.tagName.toLowerCase()}.${each.getAttribute('class') ?? ''}`)
    return `${document.documentElement.scrollWidth} px of ${limit}: ${names.slice(0, 6).join(', ')}`
  })
  if (wide) {
    throw new Error(wide)
  }
}
