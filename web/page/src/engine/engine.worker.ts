/**
 * Runs the engine beside the page.
 *
 * The first message loads it; every other one unpacks a block or calls a function by its name. The answers carry the id
 * of the call.
 */
import type { Address, Answer, Call } from './calls'
import { unpack } from './packed'

type Exports = Record<string, (...args: unknown[]) => string>

interface TeaVm {
  wasmGC: { load(source: string | ArrayBuffer | Uint8Array): Promise<{ exports: Exports }> }
}

/** The worker's own globals, which the types of a page do not know. */
const worker = globalThis as unknown as {
  postMessage(answer: Answer): void
  onmessage: ((event: MessageEvent<Call>) => void) | null
  importScripts(address: string): void
  eval(script: string): void
  TeaVM: TeaVm
}

let engine: Promise<Exports> | undefined

async function load(address: Address): Promise<Exports> {
  if (address.kind === 'js') {
    return module(address.module)
  }
  if (address.kind === 'packed-js') {
    return module(URL.createObjectURL(new Blob([unpack(address.module)], { type: 'text/javascript' })))
  }
  if (address.kind === 'wasm') {
    worker.importScripts(address.runtime)
    return (await worker.TeaVM.wasmGC.load(address.module)).exports
  }
  // over file:// a worker has an origin of its own, and may not load the script from an address
  worker.eval(text(address.runtime))
  return (await worker.TeaVM.wasmGC.load(unpack(address.module))).exports
}

async function module(address: string): Promise<Exports> {
  return (await import(/* @vite-ignore */ address)) as Exports
}

function text(packed: string): string {
  return new TextDecoder().decode(unpack(packed))
}

async function call({ id, method, args }: Call): Promise<Answer> {
  if (method === 'load') {
    engine = load(args[0] as Address)
    await engine
    return { id, text: '' }
  }
  if (method === 'unpack') {
    return { id, text: text(args[0] as string) }
  }
  if (!engine) {
    throw new Error('the engine is not loaded')
  }
  const face = await engine
  if (!(method in face)) {
    throw new Error(`the engine has no function ${method}`)
  }
  if (method === 'check') {
    const onProgress = (text: string) => worker.postMessage({ id, progress: text })
    return { id, text: face.check(...args, onProgress) }
  }
  return { id, text: face[method](...args) }
}

worker.onmessage = (event) => {
  call(event.data).then(
    (answer) => worker.postMessage(answer),
    (error: unknown) => worker.postMessage({ id: event.data.id, failure: String(error) }),
  )
}
