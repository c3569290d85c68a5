/** Every page opens, in both languages; bad addresses say what is wrong. */
import { equal, holds } from '../visit.mjs'

export const PAGES = ['run', 'check', 'gallery', 'matrix', 'compare', 'quorum', 'timeout']

const opens = Object.fromEntries(
  PAGES.map((name) => [
    `the page ${name} opens without an error`,
    async (visit) => {
      await visit.open(`#/${name}`)
      await visit.page.locator('main h1, main h2').first().waitFor()
      equal(await visit.page.locator('main [role=alert]:visible').count(), 0, 'alerts')
    },
  ]),
)

export const tests = {
  ...opens,

  'the language switch translates the page and is kept': async (visit) => {
    await visit.open('#/run')
    const english = await visit.page.locator('nav').innerText()
    await visit.page.locator('button.language').click()
    await visit.page.waitForFunction((before) => document.querySelector('nav').innerText !== before, english)
    equal(await visit.page.locator('html').getAttribute('lang'), 'pt-BR', 'language of the document')
    await visit.page.reload()
    await visit.ready()
    equal(await visit.page.locator('html').getAttribute('lang'), 'pt-BR', 'language after a reload')
  },

  'a Brazilian browser opens the page in Portuguese': async (visit) => {
    const brazilian = await visit.another({ locale: 'pt-BR' })
    try {
      await brazilian.open('#/run?c=ricart-agrawala+-n+3')
      equal(await brazilian.page.locator('html').getAttribute('lang'), 'pt-BR', 'language of the document')
      await brazilian.sees('.summary', /^Um nó/)
      await brazilian.open('#/check?c=chang-roberts+-n+3&start=1')
      await brazilian.sees('.outcome ~ * th', 'acaba sendo eleito')
    } finally {
      await brazilian.close()
    }
  },

  'an unknown page is named': async (visit) => {
    await visit.open('#/ran')
    await visit.sees('[role=alert]', 'ran')
  },

  'a slide has no header and no command line': async (visit) => {
    await visit.open('?embed#/run?c=central+-n+3')
    await visit.page.locator('.transport').waitFor()
    equal(await visit.page.locator('header').count(), 0, 'headers')
    equal(await visit.page.locator('form.command').count(), 0, 'command lines')
  },

  'a link with an unknown value offers the nearest': async (visit) => {
    const offered = async (hash, value) => {
      await visit.open(hash)
      await visit.sees('[role=alert]', 'does not exist')
      await visit.page.locator('[role=alert] a', { hasText: value }).click()
      await visit.page.locator('[role=alert]').waitFor({ state: 'detached' })
    }
    await offered('#/gallery?s=raft-figure-88', 'raft-figure-8')
    await offered('#/matrix?problem=election&property=uniquenes', 'uniqueness')
    await offered('#/compare?problem=elections', 'election')
  },

  'a browser without WebAssembly GC gets the engine in JavaScript, or hears which file has it': async (visit) => {
    await visit.page.addInitScript(() => {
      WebAssembly.validate = () => false
    })
    if (visit.build.hasBothEngines) {
      await visit.open('#/run?c=central+-n+3')
      await visit.page.locator('.transport').waitFor()
    } else {
      await visit.page.goto(`${visit.build.address}#/run?c=central+-n+3`)
      await visit.sees('[role=alert]', /Chrome 137.*--javascript/)
    }
  },

  'the page asks no other machine for anything': async (visit) => {
    const foreign = []
    visit.page.on('request', (request) => {
      const isOwn = request.url().startsWith(visit.build.address) || /^(data|blob|about):/.test(request.url())
      const isFile = request.url().startsWith('file:') && visit.build.address.startsWith('file:')
      return isOwn || isFile || foreign.push(request.url())
    })
    await visit.open('#/run')
    holds(foreign.length === 0, `requests: ${foreign.join(', ')}`)
  },
}

/** The file for older browsers. */
export const javaScriptTests = {
  'a browser without WebAssembly GC runs and checks in JavaScript': async (visit) => {
    await visit.page.addInitScript(() => {
      delete globalThis.WebAssembly
    })
    await visit.open('#/run?c=central+-n+3')
    await visit.button('To the end').click()
    await visit.isAtEnd()
    await visit.open('#/check?c=chang-roberts+-n+3&start=1')
    await visit.sees('.outcome', '189')
    await visit.sees('.outcome.holds', /./)
  },
}
