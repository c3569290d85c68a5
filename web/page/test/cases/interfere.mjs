/** A newcomer interferes with a run: every act is a fork, which the address carries. */
import { equal, holds } from '../visit.mjs'

const START = '#/run?c=ricart-agrawala+-n+3+--latency+fixed:2&at=6'

async function choose(visit, menu, item) {
  await visit.page.getByRole('group', { name: 'Interfere' }).getByRole('button', { name: menu }).click()
  await visit.page.getByRole('menuitem', { name: item }).first().click()
}

async function delayFirst(page, by) {
  await page.getByRole('group', { name: 'Interfere' }).getByRole('button', { name: /^In flight/ }).click()
  await page.getByRole('menuitem').first().click()
  await page.getByRole('menuitem', { name: /^Delay/ }).click()
  const input = page.locator('.menu input')
  await input.focus()
  await input.fill(by)
  equal(await input.inputValue(), by, 'the delay')
  await page.keyboard.press('Enter')
}

export const tests = {
  'a crash at the cursor forks the run, and undo returns': async (visit) => {
    await visit.open(START)
    await choose(visit, /^n1/, 'Crash')
    await visit.hasAddress('--crash')
    await visit.sees('.tree', 'crashes')
    equal(await visit.page.locator('ul[aria-label="Tree of runs"] > li').count(), 2, 'runs in the tree')
    await visit.button(/^Undo/).click()
    await visit.page.waitForFunction(() => !location.hash.includes('crash') || document.querySelector('.tree li.shown:first-child'))
  },

  'a delayed message forks the run, and the link of the fork gives the same picture': async (visit) => {
    await visit.open(START)
    const { page } = visit
    await delayFirst(page, '20')
    await visit.hasAddress('--delay-message')
    await opensTheSame(visit)
  },

  'a message of a counterexample is delayed, and the link of the fork gives the same state': async (visit) => {
    await visit.open('#/check?c=ricart-agrawala-by-priority+-n+3')
    const { page } = visit
    await visit.button('Check').click()
    await page.locator('.outcome a[href*="run"]').first().click()
    await visit.isAtEnd()
    await visit.sees('.lamp', /mutual-exclusion\s*violated/)
    for (let i = 0; i < 6; i++) {
      const before = await visit.position()
      await visit.button('Step back').click()
      await page.waitForFunction((old) => document.querySelector('.transport .count')?.textContent !== old, before)
    }
    await visit.ready()
    const counterexample = await visit.page.locator('.command input').first().inputValue()
    await delayFirst(page, '3')
    await visit.sees('.tree', '3 steps later')
    const fork = await visit.page.locator('.command input').first().inputValue()
    holds(fork !== counterexample && fork.includes('--moves'), `the fork is ${fork}`)
    await opensTheSame(visit)
  },

  'a line drawn across the topology partitions it': async (visit) => {
    await visit.open(START)
    const { page } = visit
    await visit.button('Partition').click()
    const { x, width } = await page.locator('.topology').boundingBox()
    const node = await page.locator('.topology .node').first().boundingBox()
    const below = node.y + node.height + 30
    await page.mouse.move(x + 5, below)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, below, { steps: 4 })
    await page.mouse.move(x + width - 5, below, { steps: 4 })
    await page.mouse.up()
    await visit.hasAddress('--partition')
    await visit.sees('.tree', 'cut off')
  },

  'a click on a message in the topology loses it': async (visit) => {
    await visit.open(START)
    await visit.page.locator('.topology .message').first().dispatchEvent('click')
    await visit.page.getByRole('menuitem', { name: 'Lose' }).click()
    await visit.hasAddress('--lose-message')
    await visit.sees('.tree', 'lost')
  },

  'step by step, a click chooses the next step': async (visit) => {
    await visit.open('#/run?c=ricart-agrawala+-n+2')
    await visit.button('Step by step').click()
    await visit.hasAddress('--moves')
    await visit.ready()
    const before = await visit.position()
    await visit.page.locator('section[aria-label="Choose the next step"] button.move').first().click()
    await visit.page.waitForFunction((old) => document.querySelector('.transport .count')?.textContent !== old, before)
  },
}

/** The command, the event at the cursor, the drawing of the run and the state of the selected node. */
async function pictureOf({ page }) {
  const line = await page.locator('.command input').first().inputValue()
  const event = await page.locator('.transport .now').innerText()
  const drawing = await page.locator('.scroller svg[role=img]').first().innerHTML()
  const state = await page.locator('section[aria-label^="State of a node"]').first().innerText()
  return [line, event, drawing, state].join('\n')
}

/** Another visitor opens the link of the page and sees the same. */
async function opensTheSame(visit) {
  await visit.ready()
  const picture = await pictureOf(visit)
  const guest = await visit.another()
  try {
    await guest.page.goto(await visit.link())
    await guest.ready()
    await guest.isAt(await visit.position())
    equal(await pictureOf(guest), picture, 'the picture of the guest')
  } finally {
    await guest.close()
  }
}
