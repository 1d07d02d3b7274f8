/** The pages of docs/guide in reading order, by subject; each is a Markdown file of that name. */
export const contents: readonly { title: string; pages: readonly string[] }[] = [
  { title: 'Begin', pages: ['start', 'concepts', 'features'] },
  { title: 'Connect a shop', pages: ['systems', 'shopify', 'shopware', 'woocommerce', 'migrating'] },
  { title: 'Receive events', pages: ['webhooks', 'endpoints', 'feed'] },
  { title: 'Use', pages: ['promises', 'embed', 'automations', 'ab-tests', 'cli', 'agents'] },
  {
    title: 'Run',
    pages: [
      'production',
      'containers',
      'kubernetes',
      'systemd',
      'high-availability',
      'installations',
      'move-shop',
      'backups',
      'upgrade',
      'rotation',
      'watch',
      'settings',
      'performance',
    ],
  },
]

/** The page at /docs/guide itself, under the name that repositories show first. */
export const frontPage = 'README'

export const guidePath = '/docs/guide'

export function pathOf(name: string): string {
  return name === frontPage ? guidePath : `${guidePath}/${name}`
}
