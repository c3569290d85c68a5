/** Starts the one-file build: unpacks the style and the script of the page. The engine is unpacked by its worker. */
import { unpack } from './engine/packed'

function block(id: string): string {
  return new TextDecoder().decode(unpack(document.getElementById(id)!.textContent))
}

try {
  document.head.append(Object.assign(document.createElement('style'), { textContent: block('page-style') }))
  document.body.append(Object.assign(document.createElement('script'), { textContent: block('page-script') }))
} catch (failure) {
  document.body.textContent = `This browser cannot open the laboratory: ${failure}`
}
