/** Every page is usable with a screen reader, on a phone, in the light and in the dark. */
import { createRequire } from 'node:module'
import { mostAlike } from '../colours.mjs'
import { holds } from '../visit.mjs'
import { PAGES } from './pages.mjs'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const PHONE = { width: 360, height: 740 }
/** Address, and what a visitor does there. */
const SHOWN = Object.fromEntries(PAGES.map((name) => [name, [`#/${name}`]]))
SHOWN['run of a replicated log'] = ['#/run?c=raft+-n+3&at=40']
SHOWN['causes and effects of an event'] = ['#/run?c=ricart-agrawala+-n+3&at=9&pin=9']
SHOWN['two runs side by side'] = ['#/run?c=ricart-agrawala+-n+3+--latency+fixed:2&at=6', putForkBeside]
SHOWN['choice of an algorithm'] = ['#/run', ({ page }) => page.locator('h1 button').click()]
SHOWN['free mode'] = ['#/run?c=ricart-agrawala+-n+2', startFree]
SHOWN['finished check'] = ['#/check?c=ricart-agrawala-by-priority+-n+3&start=1', (visit) => visit.sees('.outcome table', /./)]
SHOWN['end of a tour'] = ['#/gallery?s=ra-priority', tellToEnd]
SHOWN.slide = ['?embed#/run?c=central+-n+3']

/** Colours that must differ, and by how much: 2 is just noticeable. Conditions have a shape or a pattern as well. */
const PALETTES = [
  { names: [0, 1, 2, 3, 4, 5].map((each) => `message-${each}`), least: 15 },
  { names: ['waiting', 'holding', 'leading', 'down', 'paused', 'broken'], least: 10 },
]

export const tests = {
  ...Object.fromEntries(
    Object.entries(SHOWN).map(([name, steps]) => [`usable by all: ${name}`, (visit) => isUsable(visit, ...steps)]),
  ),

  'colours stay apart for the colour-blind': async (visit) => {
    await visit.open('#/run')
    for (const colorScheme of ['light', 'dark']) {
      await visit.page.emulateMedia({ colorScheme })
      for (const { names, least } of PALETTES) {
        const { difference, vision, pair } = mostAlike(await coloursOf(visit, names))
        holds(difference >= least, `${pair} differ by ${difference.toFixed(1)} of ${least} with ${vision}, ${colorScheme}`)
      }
    }
  },

  'a counterexample is found and a message of it delayed with the keyboard alone': async (visit) => {
    await visit.open('#/check?c=ricart-agrawala-by-priority+-n+3')
    const { keyboard } = visit.page
    await tabTo(visit, 'button', /^Check$/)
    await keyboard.press('Enter')
    await visit.sees('.outcome table', /./)
    await tabTo(visit, 'a', /^Open it in Run/)
    await keyboard.press('Enter')
    await visit.ready()
    await visit.isAtEnd()
    for (let i = 0; i < 6; i++) {
      await keyboard.press('ArrowLeft')
    }
    await tabTo(visit, 'button', /^In flight/)
    await keyboard.press('Enter')
    await chooseByKey(visit, /Re(quest|ply)/)
    await chooseByKey(visit, /^Delay/)
    await visit.page.locator('.menu input').waitFor()
    await keyboard.type('3')
    await keyboard.press('Enter')
    await visit.sees('.tree', '3 steps later')
  },
}

async function coloursOf({ page }, names) {
  return page.evaluate((all) => {
    const probe = document.body.appendChild(document.createElement('i'))
    const colours = all.map((name) => {
      probe.style.color = `var(--${name})`
      return [name, getComputedStyle(probe).color.match(/\d+/g).map(Number)]
    })
    probe.remove()
    return colours
  }, names)
}

/** Presses the tab key until an element with this tag and text has the focus. */
async function tabTo({ page }, tag, text) {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab')
    const [focusedTag, focusedText] = await page.evaluate(() => {
      const { localName, textContent } = document.activeElement
      return [localName, textContent.trim()]
    })
    if (focusedTag === tag && text.test(focusedText)) {
      return
    }
  }
  throw new Error(`the tab key does not reach ${text}`)
}

/** Moves down in the open menu to an item with this text, and chooses it. */
async function chooseByKey({ page }, text) {
  await page.waitForFunction(() => document.activeElement.getAttribute('role') === 'menuitem')
  for (let i = 0; i < 20; i++) {
    if (text.test(await page.evaluate(() => document.activeElement.textContent))) {
      await page.keyboard.press('Enter')
      return
    }
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`the menu has no item ${text}`)
}

async function putForkBeside(visit) {
  await visit.page.getByRole('group', { name: 'Interfere' }).getByRole('button', { name: /^n1/ }).click()
  await visit.page.getByRole('menuitem', { name: 'Crash' }).click()
  await visit.hasAddress('--crash')
  await visit.page.getByRole('button', { name: /beside/i }).first().click()
  await visit.hasAddress('b=0')
  await visit.ready()
}

async function startFree(visit) {
  await visit.button('Step by step').click()
  await visit.hasAddress('--moves')
  await visit.ready()
}

async function tellToEnd(visit) {
  const end = visit.page.locator('.story .outcome')
  while ((await end.count()) === 0) {
    await visit.page.keyboard.press('PageDown')
  }
}

async function isUsable(visit, hash, act) {
  await visit.open(hash)
  await visit.page.locator('main h1, main h2').first().waitFor({ state: 'attached' })
  await act?.(visit)
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
