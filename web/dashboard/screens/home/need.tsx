import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../kit/icon.tsx'

interface NeedProps {
  icon: IconName
  isSerious?: boolean
  title: string
  /** The link to the whole list. */
  action?: ReactNode
  children?: ReactNode
}

/** One thing that needs a person. */
export function Need({ icon, isSerious = false, title, action, children }: NeedProps) {
  return (
    <article className={`need card ${isSerious ? 'serious' : ''}`}>
      <header className="row apart">
        <h2 className="row">
          <Icon name={icon} />
          {title}
        </h2>
        {action}
      </header>
      {children}
    </article>
  )
}
