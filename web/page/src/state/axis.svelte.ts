import type { RunModel } from './run-model'

const FIRST_SCALE = 44
const SMALLEST_SCALE = 0.05
const LARGEST_SCALE = 400
/** Room before the first event and after the last one, in pixels. */
export const MARGIN = 28

/** The horizontal axis that the space-time diagram and the Gantt chart share. Its unit is an event or a time. */
export class Axis {
  /** Pixels for a unit. */
  scale: number = $state(FIRST_SCALE)
  /** The pixel of the run at the left edge. */
  offset: number = $state(0)
  /** The width of the visible part, in pixels. */
  width: number = $state(600)
  /** Whether distances are times. Otherwise long pauses take little room. */
  isTrueToTime: boolean = $state(false)
  readonly #model: RunModel
  readonly #unitsPerTime: number

  constructor(model: RunModel) {
    this.#model = model
    const duration = model.times[model.last] - model.times[model.first]
    this.#unitsPerTime = duration > 0 ? model.length / duration : 1
  }

  /** The pixel of a position on the axis of events, from the start of the run. */
  pixel(position: number): number {
    const units = this.isTrueToTime
      ? (this.#model.timeAt(position) - this.#model.times[this.#model.first]) * this.#unitsPerTime
      : position
    return MARGIN + units * this.scale
  }

  /** The position on the axis of events at a pixel from the start of the run. */
  position(pixel: number): number {
    const units = (pixel - MARGIN) / this.scale
    return this.isTrueToTime
      ? this.#model.positionOf(this.#model.times[this.#model.first] + units / this.#unitsPerTime)
      : units
  }

  /** The length of the drawn run in pixels. */
  get length(): number {
    return this.#model.length * this.scale + 2 * MARGIN
  }

  panBy(pixels: number) {
    this.offset = this.#bounded(this.offset + pixels)
  }

  /** Zooms so that the run under this pixel of the visible part stays there. */
  zoomBy(factor: number, at = this.width / 2) {
    const units = (this.offset + at - MARGIN) / this.scale
    const fitting = this.#fittingScale()
    this.scale = Math.min(LARGEST_SCALE, Math.max(Math.min(fitting, SMALLEST_SCALE), this.scale * factor))
    this.offset = this.#bounded(MARGIN + units * this.scale - at)
  }

  /** Shows the whole run. */
  fit() {
    this.scale = Math.min(this.#fittingScale(), 2 * FIRST_SCALE)
    this.offset = 0
  }

  /** Fits a short run into the visible part at first, and shows a long one in readable size. */
  begin() {
    this.scale = Math.min(Math.max(this.#fittingScale(), FIRST_SCALE * 0.75), 2 * FIRST_SCALE)
  }

  /** Pans so that a position is visible, with room ahead of it. */
  reveal(position: number) {
    const x = this.pixel(position)
    if (x < this.offset + MARGIN || x > this.offset + this.width * 0.85) {
      this.offset = this.#bounded(x - this.width * 0.3)
    }
  }

  toggleTime() {
    const centre = this.position(this.offset + this.width / 2)
    this.isTrueToTime = !this.isTrueToTime
    this.offset = this.#bounded(this.pixel(centre) - this.width / 2)
  }

  #fittingScale(): number {
    return Math.max(1e-4, (this.width - 2 * MARGIN) / Math.max(1, this.#model.length))
  }

  #bounded(offset: number): number {
    return Math.min(Math.max(offset, 0), Math.max(0, this.length - this.width))
  }
}
