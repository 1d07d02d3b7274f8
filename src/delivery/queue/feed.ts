/** The receiver that represents a shop's event feed among those chosen for an event. Nothing is delivered to it. */
export const feedReceiver = 'feed'

/** The readers of event feeds in this process, as seen by the code that enqueues. */
export interface FeedListeners {
  /** Events of these shops were committed. */
  published(shopIds: Iterable<string>): void
}

declare module '../../platform/foundation/services.ts' {
  interface Services {
    readonly eventFeed: FeedListeners
  }
}
