import { useEffect, useRef, useState } from 'react'

interface PhoneFrameProps {
  title: string
  /** A page of this host. */
  address: string
  /** Absent: the page at the address is shown as it is. Else its content is replaced by this, with the styles of both equal. */
  html?: string | undefined
  /** Selects the part that is of interest: it is in view when it is first drawn. */
  part?: string
}

/**
 * A page as on a phone. Scripts in it stay off, and nothing can be followed. It is of the same origin, so that its content
 * can be replaced in place: the reader's scroll position stays, nothing flickers, and Back is not filled with drafts.
 * Its own policy applies, which allows the styles and pictures that this page does not.
 */
export function PhoneFrame({ title, address, html, part }: PhoneFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [loaded, setLoaded] = useState<string>()
  const isFirst = useRef(true)
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (loaded !== address || html === undefined || !page) return
    if (draw(page, html, isFirst.current ? part : undefined)) isFirst.current = false
  }, [loaded, address, html, part])
  return (
    <div className="phone">
      <iframe
        ref={frame}
        className={html === undefined && part !== undefined ? 'waiting' : undefined}
        title={title}
        src={address}
        sandbox="allow-same-origin"
        onLoad={() => setLoaded(address)}
      />
    </div>
  )
}

/** How much of the page above the part stays in view. */
const above = 56

const styles = /<style>[\s\S]*?<\/style>/g

/** True if the part was found, and is in view. */
function draw(page: Document, html: string, part: string | undefined): boolean {
  // Nothing in a parsed document runs or loads before it is shown, and then the frame's sandbox and policy decide. Its
  // styles are those that the frame has; parsed here, this page's own policy would complain about them.
  const { documentElement: root, body } = new DOMParser().parseFromString(html.replaceAll(styles, ''), 'text/html')
  const before = page.scrollingElement?.scrollTop ?? 0
  page.documentElement.lang = root.lang
  page.body.replaceChildren(...body.childNodes)
  const found = part === undefined ? null : page.querySelector(part)
  // Scrolling the element into view would scroll this page, too.
  const top = found === null ? before : Math.max(0, found.getBoundingClientRect().top - above)
  if (page.scrollingElement) page.scrollingElement.scrollTop = top
  return found !== null
}
