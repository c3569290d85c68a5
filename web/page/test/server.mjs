/** A server of files for tests: on loopback, at a free port, without a cache. */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, normalize, resolve } from 'node:path'

const TYPES = {
  css: 'text/css',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  json: 'application/json',
  wasm: 'application/wasm',
}

/** Serves the folder until `close` is called. */
export async function serve(folder) {
  const root = resolve(folder)
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname)
    const file = normalize(join(root, path.endsWith('/') ? `${path}index.html` : path))
    if (!file.startsWith(root) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end()
      return
    }
    const type = TYPES[file.split('.').pop()] ?? 'application/octet-stream'
    response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
    createReadStream(file).pipe(response)
  })
  await new Promise((started) => server.listen(0, '127.0.0.1', started))
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}
