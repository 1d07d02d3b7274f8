import { useEffect, useState } from 'react'

const pauseMs = 350

/** The value once it has not changed for a moment: requests follow when the typing pauses. */
export function usePaused<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}
