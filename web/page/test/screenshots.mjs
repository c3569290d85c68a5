/**
 * Takes the pictures of the pages that the README and the docs show.
 *
 *   node screenshots.mjs FOLDER OUT [PART OF A NAME]
 *
 * FOLDER has the built page. Every picture is a PNG file in the folder OUT, such as `run.png`. The README shows three of them.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startChromium } from './chromium.mjs'
import { serve } from './server.mjs'
import { Visit } from './visit.mjs'

const PRIORITY =
  'ricart-agrawala-by-priority+-n+3+--latency+fixed:1+--link+3~gt1=fixed:20+--acquire+1@0,2@5+--hold+30'
    .replace('~gt', '%3E')

const WIDE = { width: 1280, height: 880 }
const PHONE = { width: 390, height: 800 }

/** By name: the address, the size, and what a visitor does before the picture is taken. */
const PICTURES = {
  run: { hash: `#/run?c=${PRIORITY}&at=last` },
  'run-dark': { hash: '#/run?c=bully+-n+5+--crash+5@0+--initiators+1,2&at=20', options: { colorScheme: 'dark' } },
  log: { hash: '#/run?c=raft+-n+3+--proposals+4&at=60' },
  interfere: { hash: '#/run?c=ricart-agrawala+-n+3+--latency+fixed:2&at=6', act: crash },
  check: { hash: '#/check?c=ricart-agrawala-by-priority+-n+3&start=1', act: (visit) => visit.sees('.outcome', /./) },
  gallery: { hash: '#/gallery' },
  tour: { hash: '#/gallery?s=raft-figure-8&stop=4' },
  matrix: { hash: '#/matrix' },
  compare: { hash: '#/compare' },
  quorum: { hash: '#/quorum' },
  timeout: { hash: '#/timeout' },
  portuguese: { hash: '#/gallery?s=ra-priority', options: { locale: 'pt-BR' } },
  phone: { hash: `#/run?c=${PRIORITY}&at=last`, options: { viewport: PHONE } },
}

async function crash(visit) {
  await visit.page.getByRole('group', { name: 'Interfere' }).getByRole('button', { name: /^n1/ }).click()
  await visit.page.getByRole('menuitem', { name: 'Crash' }).first().click()
  await visit.hasAddress('--crash')
  await visit.ready()
}

const [folder, out, wanted = ''] = process.argv.slice(2)
mkdirSync(out, { recursive: true })
const server = await serve(join(folder, 'page'))
const browser = await startChromium()
try {
  for (const [name, { hash, options, act }] of Object.entries(PICTURES)) {
    if (name.includes(wanted)) {
      const build = { name: 'served', address: server.address }
      const visit = await Visit.start(browser, build, { viewport: WIDE, reducedMotion: 'reduce', ...options })
      await visit.open(hash)
      await act?.(visit)
      await visit.page.screenshot({ path: join(out, `${name}.png`) })
      await visit.close()
      console.log(`${name}.png`)
    }
  }
} finally {
  await browser.close()
  server.close()
}
