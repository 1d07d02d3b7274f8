#!/usr/bin/env node
const args = process.argv.slice(2)

// The service first: nothing is loaded before its store begins to open.
if (args.length === 0 || (args.length === 1 && args[0] === 'start')) await (await import('./server.js')).start()
else {
  const [{ importSources }, server] = await Promise.all([import('./sources.js'), import('./server.js')])
  const { run } = await importSources('cli')
  await run(args, server)
}
