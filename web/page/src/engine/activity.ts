/**
 * Says when the page is at rest: `<html data-ready>` is there while no call of the engine runs and its answer is shown.
 * Tests and tools that drive the page wait for it.
 */
let running = 0

/** Counts a call until its promise is settled. */
export function whileRunning<T>(call: Promise<T>): Promise<T> {
  running++
  delete document.documentElement.dataset.ready
  return call.finally(() => {
    running--
    setTimeout(rest)
  })
}

function rest() {
  if (running === 0) {
    document.documentElement.dataset.ready = ''
  }
}
