import { CommandError, engine, StoppedError, type RunningCheck } from '../engine/engine'
import type { CheckProgress, CheckReport } from '../engine/protocol'

export type CheckPhase = 'idle' | 'running' | 'done' | 'stopped' | 'failed' | 'refused'

const TICK_MILLIS = 250

/** One check in a worker of its own, from its start to its end. The page lives on however it ends. */
export class CheckJob {
  phase: CheckPhase = $state('idle')
  progress: CheckProgress | null = $state.raw(null)
  report: CheckReport | null = $state.raw(null)
  error: Error | null = $state.raw(null)
  seconds: number = $state(0)
  /** The command line that runs or ran. */
  command: string = $state('')
  #running: RunningCheck | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  start(command: string) {
    this.close()
    this.phase = 'running'
    this.command = command
    this.progress = null
    this.report = null
    this.error = null
    this.seconds = 0
    const begin = performance.now()
    this.#timer = setInterval(() => (this.seconds = (performance.now() - begin) / 1000), TICK_MILLIS)
    const running = engine.check(command, (progress) => {
      if (this.#running === running) {
        this.progress = progress
      }
    })
    this.#running = running
    running.result.then(
      (report) => this.#end(running, 'done', report, null),
      (error: Error) => this.#end(running, phaseOf(error), null, error),
    )
  }

  stop() {
    this.#running?.stop()
  }

  /** Ends the worker of the check. */
  close() {
    clearInterval(this.#timer)
    const running = this.#running
    this.#running = undefined
    running?.stop()
  }

  #end(running: RunningCheck, phase: CheckPhase, report: CheckReport | null, error: Error | null) {
    if (this.#running === running) {
      clearInterval(this.#timer)
      this.#running = undefined
      this.phase = phase
      this.report = report
      this.error = error
    }
  }
}

function phaseOf(error: Error): CheckPhase {
  return error instanceof StoppedError ? 'stopped' : error instanceof CommandError ? 'refused' : 'failed'
}
