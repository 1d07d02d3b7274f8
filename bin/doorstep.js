#!/usr/bin/env -S node --max-semi-space-size=32
// Twice the room for new objects that Node 20 has by itself: they die before they are copied, which makes 7 percent more
// deliveries. Node reads this limit only at its start, so everything that starts the service names it.
const args = process.argv.slice(2)

// The service first: nothing is loaded before its store begins to open.
if (args.length === 0 || (args.length === 1 && args[0] === 'start')) await (await import('./server.js')).start()
else {
  const [{ importSources }, server] = await Promise.all([import('./sources.js'), import('./server.js')])
  const { run } = await importSources('cli')
  await run(args, server)
}
