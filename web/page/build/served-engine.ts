import { cpSync, createReadStream, existsSync } from 'node:fs'
import { join, normalize, resolve } from 'node:path'
import type { Plugin, ResolvedConfig } from 'vite'

const TYPES: Record<string, string> = { js: 'text/javascript', json: 'application/json', wasm: 'application/wasm' }

/** Serves the compiled engine under engine/ during development and copies it beside the built page. */
export function servedEngine(folder: string): Plugin {
  let config: ResolvedConfig
  return {
    name: 'served-engine',
    configResolved: (resolved) => {
      config = resolved
    },
    configureServer: (server) => {
      server.middlewares.use('/engine', (request, response, next) => {
        const path = (request.url ?? '/').split('?')[0]
        const file = normalize(join(folder, path))
        if (!file.startsWith(folder) || !existsSync(file)) {
          next()
          return
        }
        response.setHeader('Content-Type', TYPES[file.split('.').pop() ?? ''] ?? 'application/octet-stream')
        createReadStream(file).pipe(response)
      })
    },
    closeBundle: () => {
      if (existsSync(folder)) {
        cpSync(folder, resolve(config.root, config.build.outDir, 'engine'), { recursive: true })
      }
    },
  }
}
