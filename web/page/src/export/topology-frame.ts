import { nodeText, timeText } from '../state/describe'
import { separates, type Message, type RunModel } from '../state/run-model'
import { CONDITION_MARKS, MESSAGE_COLOURS, messageShape } from '../views/marks'
import type { Colours } from './colours'

const FONT = 'system-ui, sans-serif'
const FOOT = 34
const SIDE = 80
const TOP = 46
const BOTTOM = 62
/** How long the cross of a dropped message stays, in units of the axis of events. */
const CROSS_DURATION = 0.9

/** Draws the topology as it is at a position of the run. */
export function topologyFrame(model: RunModel, width: number, height: number, colours: Colours) {
  const radius = Math.max(12, Math.min(28, (Math.min(width, height) * 0.9) / (model.nodes.length + 3)))
  const xs = stretched(model.nodes.map((node) => node.x))
  const ys = stretched(model.nodes.map((node) => node.y))
  const places = model.nodes.map((_, i) => ({
    x: SIDE + xs[i] * (width - 2 * SIDE),
    y: TOP + ys[i] * (height - FOOT - TOP - BOTTOM),
  }))

  return (pen: CanvasRenderingContext2D, position: number) => {
    const index = model.indexAtPosition(position)
    pen.fillStyle = colours('surface')
    pen.fillRect(0, 0, width, height)
    drawLinks(pen, index)
    for (const message of model.messagesBetween(position - CROSS_DURATION, position)) {
      drawMessage(pen, message, position)
    }
    model.nodes.forEach((_, node) => drawNode(pen, node, index))
    drawFoot(pen, position)
  }

  function drawLinks(pen: CanvasRenderingContext2D, index: number) {
    const cuts = model.cutsAt(index)
    for (const [from, to] of model.run.links) {
      const [a, b] = [model.indexOf(from), model.indexOf(to)]
      if (a >= 0 && b >= 0) {
        const isCut = cuts.some((cut) => separates(cut, a, b) || separates(cut, b, a))
        pen.strokeStyle = colours(isCut ? 'broken' : 'line')
        pen.setLineDash(isCut ? [3, 7] : [])
        pen.lineWidth = 1.5
        pen.stroke(lineBetween(places[a], places[b]))
      }
    }
    pen.setLineDash([])
  }

  function drawMessage(pen: CanvasRenderingContext2D, message: Message, position: number) {
    const isGone = position >= message.endPosition
    if (position < message.startPosition || (isGone && !message.isDropped)) {
      return
    }
    const from = places[message.sender]
    const to = places[message.receiver]
    const distance = Math.hypot(to.x - from.x, to.y - from.y) || 1
    const [dx, dy] = [(to.x - from.x) / distance, (to.y - from.y) / distance]
    const duration = message.endPosition - message.startPosition || 1
    const share = Math.min(1, (position - message.startPosition) / duration) * (message.isDropped ? 0.82 : 1)
    const way = radius + 4 + share * Math.max(0, distance - 2 * radius - 8)
    const number = Math.max(0, model.typeNumber(message.type))
    pen.save()
    pen.translate(from.x + dx * way - dy * 6, from.y + dy * way + dx * 6)
    pen.fillStyle = colours(`message-${number % MESSAGE_COLOURS}`)
    pen.globalAlpha = isGone ? 0.35 : 1
    pen.fill(new Path2D(messageShape(number)))
    pen.globalAlpha = 1
    if (isGone) {
      pen.strokeStyle = colours('broken')
      pen.lineWidth = 3
      pen.stroke(new Path2D('M-6-6L6 6M6-6L-6 6'))
    } else {
      write(pen, message.type, 0, -10, 'muted', `500 11px ${FONT}`)
    }
    pen.restore()
  }

  function drawNode(pen: CanvasRenderingContext2D, node: number, index: number) {
    const { role, health } = model.conditionAt(node, index)
    const kind = health.kind === 'up' ? role.kind : health.kind
    const isFull = ['holding', 'leading', 'down'].includes(kind)
    const isActive = model.nodeOf[index] === node
    pen.save()
    pen.translate(places[node].x, places[node].y)
    pen.beginPath()
    pen.arc(0, 0, radius, 0, 2 * Math.PI)
    pen.fillStyle = colours(isFull ? kind : kind === 'waiting' ? 'waiting-soft' : 'surface')
    pen.fill()
    pen.strokeStyle = colours(['waiting', 'holding', 'leading', 'down', 'paused'].includes(kind) ? kind : 'idle')
    pen.lineWidth = isActive ? 4.5 : 2.5
    pen.setLineDash(kind === 'waiting' ? [5, 3] : kind === 'absent' ? [2, 4] : [])
    pen.stroke()
    pen.setLineDash([])
    write(pen, model.name(node), 0, radius + 17, 'ink', `650 14px ${FONT}`)
    write(pen, nodeText(model, node, index), 0, radius + 33, 'muted', `500 12px ${FONT}`)
    pen.translate(-radius * 0.6, -radius * 0.6)
    pen.scale(radius / 20, radius / 20)
    pen.fillStyle = isFull ? '#fff' : colours(kind === 'waiting' ? 'waiting-ink' : 'muted')
    pen.fill(new Path2D(CONDITION_MARKS[kind]), 'evenodd')
    pen.restore()
  }

  function write(pen: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string, font: string) {
    pen.font = font
    pen.textAlign = 'center'
    pen.lineWidth = 4
    pen.lineJoin = 'round'
    pen.strokeStyle = colours('surface')
    pen.strokeText(text, x, y)
    pen.fillStyle = colours(colour)
    pen.fillText(text, x, y)
  }

  function drawFoot(pen: CanvasRenderingContext2D, position: number) {
    drawProgress(pen, width, height, position / (model.length || 1), colours)
    pen.font = `500 12px ${FONT}`
    pen.fillStyle = colours('muted')
    pen.textAlign = 'left'
    pen.fillText(model.run.headline, 12, height - 14, width - 130)
    pen.textAlign = 'right'
    pen.fillText(timeText(model, model.timeAt(position)), width - 12, height - 14)
  }
}

export function drawProgress(pen: CanvasRenderingContext2D, width: number, height: number, share: number, colours: Colours) {
  pen.fillStyle = colours('line')
  pen.fillRect(0, height - 3, width, 3)
  pen.fillStyle = colours('accent')
  pen.fillRect(0, height - 3, width * share, 3)
}

function lineBetween(a: { x: number; y: number }, b: { x: number; y: number }): Path2D {
  const path = new Path2D()
  path.moveTo(a.x, a.y)
  path.lineTo(b.x, b.y)
  return path
}

/** Coordinates that fill the room. Nodes on one line stand in its middle. */
function stretched(coordinates: number[]): number[] {
  const least = Math.min(...coordinates)
  const range = Math.max(...coordinates) - least
  return coordinates.map((each) => (range > 0.01 ? (each - least) / range : 0.5))
}
