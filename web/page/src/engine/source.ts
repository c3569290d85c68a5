/**
 * Where the engine and its data come from: files beside a served page, or packed blocks inside the one-file build.
 */
import { t } from '../i18n/text.svelte'
import type { Address } from './calls'

const MODULE = 'laboratory.wasm'
const RUNTIME = 'laboratory.wasm-runtime.js'
const FALLBACK = 'laboratory.js'

const isOneFile = import.meta.env.MODE === 'file'

/** Whether this browser runs WebAssembly with garbage collection, exceptions and function references. */
export function hasWasmGc(): boolean {
  // (module (type (func)) (type (struct)) (func (try_table) (drop (ref.null 1))))
  const probe = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 2, 96, 0, 0, 95, 0, 3, 2, 1, 0, 10, 11, 1, 9, 0, 31, 64, 0, 11, 208, 1, 26, 11,
  ])
  return typeof WebAssembly === 'object' && WebAssembly.validate(probe)
}

/** Finds the engine for this browser. A one-file build has one of the two, as a block. */
export function address(): Address {
  if (!isOneFile) {
    return hasWasmGc()
      ? { kind: 'wasm', runtime: served(RUNTIME), module: served(MODULE) }
      : { kind: 'js', module: served(FALLBACK) }
  }
  if (document.getElementById(FALLBACK)) {
    return { kind: 'packed-js', module: block(FALLBACK) }
  }
  if (!hasWasmGc()) {
    throw new Error(t('app.unsupported'))
  }
  return { kind: 'packed', runtime: block(RUNTIME), module: block(MODULE) }
}

/** A document of the engine's data, such as `sources`: an address, or a packed block. */
export function documentSource(name: string): { address: string } | { packed: string } {
  const path = `data/${name}.json`
  return isOneFile ? { packed: block(path) } : { address: served(path) }
}

function served(path: string): string {
  return new URL(`engine/${path}`, document.baseURI).href
}

function block(id: string): string {
  const element = document.getElementById(id)
  if (!element) {
    throw new Error(`the file has no block ${id}`)
  }
  return element.textContent
}
