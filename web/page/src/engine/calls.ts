/** What the page and the worker of the engine send each other. */

/** Where the worker finds the engine: addresses of a served page, or the packed parts of a one-file build. */
export type Address =
  | { kind: 'wasm'; runtime: string; module: string }
  | { kind: 'packed'; runtime: string; module: string }
  | { kind: 'js'; module: string }
  | { kind: 'packed-js'; module: string }

export interface Call {
  id: number
  method: string
  args: unknown[]
}

/** A document of the engine, the progress of a call, or why the call failed outside the engine. */
export type Answer = { id: number; text?: string; progress?: string; failure?: string }
