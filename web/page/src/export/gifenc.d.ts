declare module 'gifenc' {
  export type Palette = number[][]
  export interface Encoder {
    writeFrame(
      index: Uint8Array,
      width: number,
      height: number,
      options?: { palette?: Palette; delay?: number; repeat?: number },
    ): void
    finish(): void
    bytes(): Uint8Array<ArrayBuffer>
  }
  export function GIFEncoder(): Encoder
  export function quantize(pixels: Uint8ClampedArray, colours: number, options?: { format?: string }): Palette
  export function applyPalette(pixels: Uint8ClampedArray, palette: Palette, format?: string): Uint8Array
}
