import { Axis } from '../state/axis.svelte'
import { shortTime, timeText } from '../state/describe'
import type { RunModel } from '../state/run-model'
import { MESSAGE_COLOURS } from '../views/marks'
import { arrowPath, laneHeight, laneY, RULER, sceneBetween, ticksBetween, type Scene } from '../views/space-time'
import type { Colours } from './colours'
import { drawProgress } from './topology-frame'

const FONT = 'system-ui, sans-serif'
const NAMES = 74
const FOOT = 30
const SMALLEST_SCALE = 16
const THICKNESS: Record<string, number> = { waiting: 4, holding: 9, leading: 9, paused: 6, down: 6 }

export function spaceTimeHeight(model: RunModel): number {
  return RULER + model.nodes.length * laneHeight(model.nodes.length) + FOOT
}

/** Draws the space-time diagram with the cursor at a position of the run. What comes after it is pale. */
export function spaceTimeFrame(model: RunModel, width: number, height: number, colours: Colours) {
  const lane = laneHeight(model.nodes.length)
  const bottom = height - FOOT
  const axis = new Axis(model)
  axis.width = width - NAMES
  axis.fit()
  axis.scale = Math.max(axis.scale, SMALLEST_SCALE)

  return (pen: CanvasRenderingContext2D, position: number) => {
    axis.reveal(position)
    const { offset } = axis
    const scene = sceneBetween(model, axis, lane, offset - 20, offset + axis.width + 20)
    const cursor = axis.pixel(position)
    pen.fillStyle = colours('surface')
    pen.fillRect(0, 0, width, height)
    pen.save()
    pen.beginPath()
    pen.rect(NAMES, 0, axis.width, bottom)
    pen.clip()
    pen.translate(NAMES - offset, 0)
    drawAxis(pen, offset)
    drawScene(pen, scene)
    pen.globalAlpha = 0.7
    pen.fillStyle = colours('surface')
    pen.fillRect(cursor, 0, offset + axis.width - cursor, bottom)
    pen.globalAlpha = 1
    pen.fillStyle = colours('accent')
    pen.fillRect(cursor - 1, 0, 2, bottom)
    pen.restore()
    drawFrame(pen, position)
  }

  function drawAxis(pen: CanvasRenderingContext2D, offset: number) {
    pen.font = `500 11px ${FONT}`
    pen.textAlign = 'center'
    pen.fillStyle = colours('muted')
    pen.strokeStyle = colours('line')
    pen.lineWidth = 1
    for (const { x, time } of ticksBetween(model, axis, offset, offset + axis.width)) {
      pen.fillText(shortTime(model, time), x, 14)
    }
    model.nodes.forEach((_, node) => line(pen, offset, laneY(node, lane), offset + axis.width, laneY(node, lane)))
  }

  function drawScene(pen: CanvasRenderingContext2D, scene: Scene) {
    for (const bar of scene.bars) {
      pen.lineWidth = THICKNESS[bar.condition.kind] ?? 0
      if (pen.lineWidth && THICKNESS[bar.condition.kind]) {
        pen.strokeStyle = colours(bar.condition.kind)
        pen.setLineDash(pen.lineWidth === 9 ? [] : [5, 4])
        line(pen, bar.x1, bar.y, bar.x2, bar.y)
      }
    }
    pen.setLineDash([])
    for (const arrow of scene.arrows) {
      const number = Math.max(0, model.typeNumber(arrow.message.type)) % MESSAGE_COLOURS
      pen.lineWidth = 1.6
      pen.strokeStyle = colours(`message-${number}`)
      pen.setLineDash(arrow.message.isDropped ? [4, 4] : [])
      pen.stroke(new Path2D(arrowPath(arrow)))
      if (arrow.message.isDropped) {
        cross(pen, arrow.x2, arrow.y2, 'broken')
      }
    }
    pen.setLineDash([])
    for (const { x, y, shape } of scene.events) {
      if (y === null) {
        pen.strokeStyle = colours(shape === 'broken' ? 'broken' : 'line-strong')
        pen.lineWidth = 2
        line(pen, x, RULER - 8, x, bottom)
      } else if (shape === 'fault') {
        cross(pen, x, y, 'down')
      } else {
        pen.beginPath()
        pen.arc(x, y, 4.5, 0, 2 * Math.PI)
        pen.fillStyle = colours(shape === 'internal' ? 'surface' : 'ink')
        pen.fill()
        pen.strokeStyle = colours('ink')
        pen.lineWidth = 2
        pen.stroke()
      }
    }
  }

  function cross(pen: CanvasRenderingContext2D, x: number, y: number, colour: string) {
    pen.setLineDash([])
    pen.strokeStyle = colours(colour)
    pen.lineWidth = 3
    line(pen, x - 5, y - 5, x + 5, y + 5)
    line(pen, x + 5, y - 5, x - 5, y + 5)
  }

  function drawFrame(pen: CanvasRenderingContext2D, position: number) {
    pen.font = `600 13px ${FONT}`
    pen.textAlign = 'left'
    pen.fillStyle = colours('ink')
    model.nodes.forEach((node, i) => pen.fillText(node.name, 10, laneY(i, lane) + 4, NAMES - 16))
    pen.font = `500 12px ${FONT}`
    pen.fillStyle = colours('muted')
    pen.fillText(model.run.headline, 10, height - 11, width - 130)
    pen.textAlign = 'right'
    pen.fillText(timeText(model, model.timeAt(position)), width - 12, height - 11)
    drawProgress(pen, width, height, position / (model.length || 1), colours)
  }
}

function line(pen: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number) {
  pen.beginPath()
  pen.moveTo(x1, y1)
  pen.lineTo(x2, y2)
  pen.stroke()
}
