import { command } from '../frame/command.ts'

export const mcp = command({
  name: 'mcp',
  summary: 'Serve an agent over standard input and output',
  details:
    'Speaks the Model Context Protocol, for agents that start a local command. The agent sees what the API key may see;\n' +
    'tools that change something are there only with --writes.',
  needs: 'service',
  options: {
    shop: { type: 'string', short: 's', value: 'SLUG', summary: 'The shop; also DOORSTEP_SHOP' },
    writes: { type: 'boolean', summary: 'Also offer the tools that change something' },
  },
  examples: [
    { line: 'mcp', says: 'As the command of an agent, with the connection of "doorstep login"' },
    {
      line: 'mcp --shop river-and-pine --writes',
      says: 'May also add notes, snooze or resolve exceptions, and send a delivery again',
    },
  ],
  async run({ connection: { url, username = '', apiKey = '', shop }, options: { writes }, io, signal, output }) {
    const { serveStdio } = await import('doorstep-mcp')
    const server = serveStdio({
      baseUrl: url,
      credentials: { username, apiKey },
      shop,
      writes,
      ...(io.fetch ? { fetch: io.fetch } : {}),
      report: (error) => output.warn(error instanceof Error ? error.message : String(error)),
    })
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve())
      io.stdin.once('end', () => resolve())
    })
    await server.close()
  },
})
