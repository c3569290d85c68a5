/** A visitor with an empty profile, and what every test does: open an address, wait, compare. */

/** The machines of the build are slow and busy. */
const PATIENCE_MILLIS = 60_000

export class Visit {
  static async start(browser, build, options = {}) {
    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width: 1280, height: 900 },
      offline: build.isOffline ?? false,
      ...options,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MILLIS)
    return new Visit(browser, build, context, page)
  }

  constructor(browser, build, context, page) {
    this.browser = browser
    this.build = build
    this.context = context
    this.page = page
    this.errors = []
    page.on('pageerror', (error) => this.errors.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && this.errors.push(message.text()))
  }

  close() {
    return this.context.close()
  }

  /** Another visitor of the same build, with other settings. */
  another(options) {
    return Visit.start(this.browser, this.build, options)
  }

  /** Opens a part of the page, such as `#/run?c=bully`, and waits until it is at rest. */
  async open(hash) {
    await this.page.goto('about:blank')
    await this.page.goto(hash.startsWith('?') ? this.build.address + hash : `${this.build.address}${hash}`)
    await this.ready()
  }

  /** Waits until no call of the engine runs. */
  async ready() {
    await this.page.waitForSelector('html[data-ready]', { state: 'attached' })
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' })
  }

  async sees(selector, text) {
    await this.page.locator(selector).filter({ hasText: text }).first().waitFor()
  }

  /** Waits until the address has this part. */
  async hasAddress(part) {
    await this.page.waitForFunction((wanted) => decodeURIComponent(location.hash).includes(wanted), part)
  }

  /** The address, when it has everything that is seen. */
  async link() {
    await this.page.waitForSelector('html:not([data-unwritten])', { state: 'attached' })
    return this.page.url()
  }

  /** Where the cursor is: `event 3 of 17`. */
  async position() {
    return this.page.locator('.transport .count').innerText()
  }

  async isAt(text) {
    await this.sees('.transport .count', text)
  }

  async isAtEnd() {
    await this.page.waitForFunction(() => {
      const [, at, all] = document.querySelector('.transport .count')?.textContent.match(/(\d+) of (\d+)/) ?? []
      return at !== undefined && at === all
    })
  }

  /** Gives the command line and runs it. */
  async command(line) {
    await this.page.getByLabel('Command line').or(this.page.locator('.command input')).first().fill(line)
    await this.page.keyboard.press('Enter')
  }
}

export function equal(actual, expected, what) {
  if (actual !== expected) {
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, was ${JSON.stringify(actual)}`)
  }
}

export function holds(condition, what) {
  if (!condition) {
    throw new Error(what)
  }
}
