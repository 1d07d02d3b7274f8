#!/usr/bin/env -S node --max-semi-space-size=32
// Room for new objects, in MB: twice Node 20's default. More of them are garbage before they would be copied, which allows
// 7 percent more deliveries per second. Node reads the limit only at start, so everything that starts the service names it.
const args = process.argv.slice(2)

// The service first: nothing is loaded before its store begins to open.
if (args.length === 0 || (args.length === 1 && args[0] === 'start')) await (await import('./server.js')).start()
else {
  const [{ importSources }, server] = await Promise.all([import('./sources.js'), import('./server.js')])
  const { run } = await importSources('cli')
  await run(args, server)
}
