/** A newcomer checks a small world and opens its counterexample. */
import { startChromium } from '../chromium.mjs'
import { Visit } from '../visit.mjs'

export const tests = {
  'the check of Ricart and Agrawala by priority ends with a counterexample, which opens at its last step': async (visit) => {
    await visit.open('#/check?c=ricart-agrawala-by-priority+-n+3')
    await visit.button('Check').click()
    const link = visit.page.locator('.outcome a[href*="run"]').first()
    await link.waitFor()
    await visit.sees('.outcome', '7,715')
    await link.click()
    await visit.ready()
    await visit.hasAddress('--moves')
    await visit.isAtEnd()
  },

  'a check that holds says so': async (visit) => {
    await visit.open('#/check?c=chang-roberts+-n+3&start=1')
    await visit.sees('.outcome', '189')
    await visit.sees('.outcome.holds', /./)
  },

  'an incomplete check never says that it holds': async (visit) => {
    await visit.open('#/check?c=ricart-agrawala+-n+3+--entries+2+--states+500&start=1')
    await visit.page.locator('.outcome .figures').waitFor()
    if ((await visit.page.locator('.outcome.holds').count()) > 0) {
      throw new Error('the outcome says that the properties hold')
    }
    await visit.sees('.advice', './habemus check')
  },

  'a long check is stopped': async (visit) => {
    await visit.open('#/check?c=ricart-agrawala+-n+4+--entries+2')
    await visit.button('Check').click()
    await visit.button('Stop').click()
    await visit.sees('.outcome', './habemus check')
  },

  'a check that outgrows the memory of the browser is incomplete, and the page lives on': async (visit) => {
    const small = await startChromium('--js-flags=--max-old-space-size=100')
    const guest = await Visit.start(small, visit.build)
    try {
      await guest.open('#/check?c=ricart-agrawala+-n+4+--entries+2+--states+1000000000&start=1')
      await guest.sees('.outcome.incomplete', /./)
      await guest.sees('.outcome', /at most [\d,]+ bytes/)
      await guest.page.evaluate(() => (location.hash = '#/run?c=central+-n+3'))
      await guest.page.locator('.transport').waitFor()
    } finally {
      await small.close()
    }
  },

  'a check whose worker ends is incomplete, and the page lives on': async (visit) => {
    await visit.page.addInitScript(() => {
      globalThis.Worker = class extends globalThis.Worker {
        constructor(...args) {
          super(...args)
          globalThis.lastWorker = this
        }
      }
    })
    await visit.open('#/check?c=ricart-agrawala+-n+4+--entries+2')
    await visit.button('Check').click()
    await visit.button('Stop').waitFor()
    await visit.page.evaluate(() => globalThis.lastWorker.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' })))
    await visit.sees('.outcome', 'Incomplete')
    await visit.page.evaluate(() => (location.hash = '#/run?c=central+-n+3'))
    await visit.page.locator('.transport').waitFor()
  },

  'a wrong command of a check shows a hint': async (visit) => {
    await visit.open('#/check?c=central+--crashs+1&start=1')
    await visit.sees('[role=alert]', '--crashs')
  },
}
