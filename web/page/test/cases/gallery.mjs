/** Every scenario is told to its end, and ends as it was recorded. */
const MOST_STOPS = 2_000

async function tellAll(visit) {
  await visit.open('#/gallery')
  const names = await visit.page.locator('main li a code').allInnerTexts()
  const different = []
  for (const name of names) {
    let runs = 1
    for (let run = 1; run <= runs; run++) {
      await visit.page.evaluate((hash) => (location.hash = hash), `#/gallery?s=${name}&run=${run}`)
      await visit.page.waitForFunction((wanted) => document.querySelector('.where code')?.textContent === wanted, name)
      await visit.page.locator('.tour .run svg').first().waitFor()
      runs = Math.max(runs, Number((await visit.page.locator('.runs b').allInnerTexts()).join().match(/\d+\D+(\d+)/)?.[1] ?? 1))
      const isSame = await visit.page.evaluate(tellToEnd, MOST_STOPS)
      if (!isSame) {
        different.push(`${name}, run ${run}`)
      }
    }
  }
  return { count: names.length, different }
}

/** Runs in the page: presses Page Down until the outcome is shown. */
async function tellToEnd(most) {
  for (let i = 0; i < most && !document.querySelector('.story .outcome'); i++) {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true }))
    await new Promise((shown) => setTimeout(shown))
  }
  return document.querySelector('.story .match:not(.different)') !== null
}

export const tests = {
  'all tours end with the recorded outcome': async (visit) => {
    const { count, different } = await tellAll(visit)
    if (count < 60 || different.length > 0) {
      throw new Error(`${count} scenarios; with another outcome: ${different.join('; ')}`)
    }
  },
}
