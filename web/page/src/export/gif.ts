import { applyPalette, GIFEncoder, quantize } from 'gifenc'
import type { RunModel } from '../state/run-model'
import { currentColours } from './colours'
import { spaceTimeFrame, spaceTimeHeight } from './space-time-frame'
import { topologyFrame } from './topology-frame'

/** The animation takes this long at most, and so does making it on a slow machine. */
const LONGEST_MILLIS = 10_000
const FRAMES_PER_UNIT = 5
const MOST_FRAMES = 120
const FEWEST_FRAMES = 12
const SHORTEST_DELAY = 50
const LAST_FRAME_MILLIS = 1500
const FORMAT = 'rgb565'
const WIDTH = 640
/** Shares of the run. */
const SAMPLES = [0, 0.15, 0.3, 0.42, 0.55, 0.7, 0.85, 1]

export type GifSubject = 'topology' | 'spacetime'

/** Thrown if the user stops the export. */
export class StoppedExport extends Error {}

/** Draws the run from its start to its end. Between two frames the page stays responsive. */
export async function gif(
  model: RunModel,
  subject: GifSubject,
  onProgress: (share: number) => void,
  isStopped: () => boolean,
): Promise<Blob> {
  const height = subject === 'topology' ? 440 : spaceTimeHeight(model)
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = height
  const pen = canvas.getContext('2d', { willReadFrequently: true })!
  const draw = (subject === 'topology' ? topologyFrame : spaceTimeFrame)(model, WIDTH, height, currentColours())
  const pixels = (position: number) => {
    draw(pen, position)
    return pen.getImageData(0, 0, WIDTH, height).data
  }

  const palette = quantize(samples(model.length, pixels), 256, { format: FORMAT })
  const start = performance.now()
  applyPalette(pixels(model.length / 2), palette, FORMAT)
  const millisPerFrame = performance.now() - start
  const frames = frameCount(model.length, millisPerFrame)
  const delay = Math.max(SHORTEST_DELAY, Math.min(200, Math.floor((LONGEST_MILLIS - LAST_FRAME_MILLIS) / frames)))

  const encoder = GIFEncoder()
  for (let i = 0; i < frames; i++) {
    const isLast = i === frames - 1
    const index = applyPalette(pixels((model.length * i) / (frames - 1)), palette, FORMAT)
    const options = i === 0 ? { palette, repeat: 0 } : {}
    encoder.writeFrame(index, WIDTH, height, { ...options, delay: isLast ? LAST_FRAME_MILLIS : delay })
    onProgress((i + 1) / frames)
    await new Promise((resolve) => setTimeout(resolve))
    if (isStopped()) {
      throw new StoppedExport('stopped')
    }
  }
  encoder.finish()
  return new Blob([encoder.bytes()], { type: 'image/gif' })
}

function frameCount(length: number, millisPerFrame: number): number {
  const affordable = Math.floor((LONGEST_MILLIS * 0.8) / Math.max(1, millisPerFrame))
  return Math.max(FEWEST_FRAMES, Math.min(MOST_FRAMES, affordable, Math.ceil(length * FRAMES_PER_UNIT) + 1))
}

/** Pixels of some moments of the run, for the colours of all. */
function samples(length: number, pixels: (position: number) => Uint8ClampedArray): Uint8ClampedArray {
  const parts = SAMPLES.map((share) => pixels(length * share).slice())
  const all = new Uint8ClampedArray(parts.reduce((sum, part) => sum + part.length, 0))
  parts.reduce((offset, part) => {
    all.set(part, offset)
    return offset + part.length
  }, 0)
  return all
}
