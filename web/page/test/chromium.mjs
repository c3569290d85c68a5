/** Starts Debian's chromium, or the one that CHROMIUM names, without traffic of its own. */
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Each start has an empty profile of its own. */
export async function startChromium(...flags) {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place))
  if (!executablePath) {
    console.error(`chromium not found: looked for ${PLACES.join(', ')}`)
    console.error('hint: apt-get install chromium, or name another one in the variable CHROMIUM')
    process.exit(3)
  }
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] })
}
