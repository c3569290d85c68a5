declare module 'lzma' {
  /** Mode 1 is the fastest, 9 the densest. */
  export function compress(content: Uint8Array, mode: number): number[]
}
