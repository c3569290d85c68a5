/** A newcomer runs an algorithm and moves in the run. */
import { equal, holds } from '../visit.mjs'

export const tests = {
  'a newcomer steps, goes back, and jumps to the end': async (visit) => {
    await visit.open('#/run')
    const { page } = visit
    await visit.isAt(/event 0 of/)
    await visit.button('Step').click()
    await visit.isAt(/event 1 of/)
    await visit.button('Step').click()
    await visit.isAt(/event 2 of/)
    await visit.button('Step back').click()
    await visit.isAt(/event 1 of/)
    await visit.button('To the end').click()
    await visit.isAtEnd()
    await page.keyboard.press('Home')
    await visit.isAt(/event 0 of/)
  },

  'the keyboard plays, pauses and steps': async (visit) => {
    await visit.open('#/run?c=ricart-agrawala+-n+3')
    const { page } = visit
    await page.locator('main').focus()
    await page.keyboard.press('ArrowRight')
    await visit.isAt(/event 1 of/)
    await page.keyboard.press('ArrowLeft')
    await visit.isAt(/event 0 of/)
    await page.keyboard.press('Space')
    await visit.isAt(/event ([3-9]|\d\d) of/)
    await page.keyboard.press('Space')
    await visit.button('Play').waitFor()
    await page.keyboard.press('End')
    await visit.isAtEnd()
  },

  'another algorithm is found by its name': async (visit) => {
    await visit.open('#/run')
    const { page } = visit
    await page.locator('h1 button').click()
    await page.locator('dialog[open] input[type=search]').fill('peterson')
    await page.keyboard.press('Enter')
    await visit.sees('h1', 'peterson')
    await visit.hasAddress('c=peterson')
    await page.goBack()
    await visit.sees('h1', 'ricart-agrawala')
  },

  'a wrong option shows a hint, and the run stays': async (visit) => {
    await visit.open('#/run?c=central+-n+3')
    await visit.command('central --nodes 3')
    await visit.sees('[role=alert]', '--nodes')
    await visit.sees('[role=alert]', 'hint')
    await visit.page.locator('.transport').waitFor()
  },

  'an unknown algorithm offers the nearest': async (visit) => {
    await visit.open('#/run?c=buly+-n+4')
    await visit.sees('[role=alert]', 'buly')
    await visit.page.locator('[role=alert] button').first().click()
    await visit.page.locator('[role=alert]').waitFor({ state: 'detached' })
    await visit.sees('h1', 'bully')
  },

  'a lamp leads to the event that broke its property': async (visit) => {
    await visit.open(
      '#/run?c=central+-n+3+--latency+fixed:2+--acquire+2@0,3@3+--hold+10+--pause+2@8..60+--lease+40+--writes+plain+--require+mutual-exclusion',
    )
    const lamp = visit.page.getByRole('button', { name: /mutual-exclusion/ }).first()
    await lamp.click()
    holds(!(await visit.position()).startsWith('event 0 '), 'the cursor moved to the event')
  },

  'a click on an event shows its causes and effects': async (visit) => {
    await visit.open('#/run?c=ricart-agrawala+-n+3+--latency+fixed:2')
    const { page } = visit
    const event = await page.locator('.scroller svg circle.event').nth(4).boundingBox()
    await page.mouse.click(event.x + event.width / 2, event.y + event.height / 2)
    await visit.sees('.key.past', 'causes')
    holds((await page.locator('circle.event.past').count()) > 0, 'events are causes')
    holds((await page.locator('circle.event.future').count()) > 0, 'events are effects')
    await visit.hasAddress('pin=')
  },

  'names of nodes are used in the run': async (visit) => {
    await visit.open('#/run?c=central+-n+3+--names+Coordinator,Ana,Bia')
    await visit.sees('.topology', 'Coordinator')
  },

  'the source shows the case that is executed': async (visit) => {
    await visit.open('#/run?c=ricart-agrawala+-n+3&at=5')
    await visit.sees('body', 'RicartAgrawala')
  },

  'a run of a thousand steps opens': async (visit) => {
    await visit.open('#/run?c=ricart-agrawala+-n+12')
    await visit.button('To the end').click()
    await visit.isAtEnd()
    equal(await visit.page.locator('[role=alert]:visible').count(), 0, 'alerts')
  },
}
