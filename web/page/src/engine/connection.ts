import type { Answer, Call } from './calls'
import EngineWorker from './engine.worker?worker&inline'
import { address } from './source'

interface Pending {
  resolve(text: string): void
  reject(error: Error): void
  onProgress?: (text: string) => void
}

/** A worker with an engine of its own. */
export class Connection {
  readonly #worker = new EngineWorker()
  readonly #pending = new Map<number, Pending>()
  readonly #ready: Promise<unknown>
  #lastId = 0

  constructor() {
    this.#worker.onmessage = (event: MessageEvent<Answer>) => this.#onAnswer(event.data)
    this.#worker.onerror = (event: ErrorEvent) => this.#fail(event.message || 'the worker ended')
    this.#ready = this.#load()
    this.#ready.catch(() => {})
  }

  /** Calls a function of the engine and returns its document as text. */
  async call(method: string, args: string[], onProgress?: (text: string) => void): Promise<string> {
    await this.#ready
    return this.#send(method, args, onProgress)
  }

  /** Ends the worker at once, whatever it does. Calls without an answer fail. */
  close() {
    this.#worker.terminate()
    this.#fail('stopped')
  }

  async #load(): Promise<unknown> {
    return this.#send('load', [address()])
  }

  #send(method: string, args: unknown[], onProgress?: (text: string) => void): Promise<string> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, onProgress })
      this.#worker.postMessage({ id, method, args } satisfies Call)
    })
  }

  #onAnswer({ id, text, progress, failure }: Answer) {
    const call = this.#pending.get(id)
    if (progress !== undefined) {
      call?.onProgress?.(progress)
      return
    }
    this.#pending.delete(id)
    if (failure === undefined) {
      call?.resolve(text ?? '')
    } else {
      call?.reject(new Error(failure))
    }
  }

  #fail(reason: string) {
    for (const call of this.#pending.values()) {
      call.reject(new Error(reason))
    }
    this.#pending.clear()
  }
}
