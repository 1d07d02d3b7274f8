import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The width of an element in pixels, so that a chart is drawn for it instead of being scaled. Zero until it is known. */
export function useWidth<Element extends HTMLElement>(): [ref: RefObject<Element | null>, width: number] {
  const ref = useRef<Element>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    // It also reports the first width, after the browser's layout. Reading it here would cause a second layout.
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}

/** Reserves the height of a chart whose width is not known yet, so that nothing below it moves. */
export function NotDrawn({ height }: { height: number }) {
  return <svg width={0} height={height} aria-hidden="true" focusable="false" />
}
