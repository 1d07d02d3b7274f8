import { type ReactNode, useEffect } from 'react'
import { type Language, languages } from '../../texts/language.ts'
import { chooseLanguage, language, t } from '../../texts/texts.ts'

/** The page of somebody who is not signed in: one card, and nothing that needs a shop. */
export function Entrance({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Doorstep`
  }, [title])
  return (
    <div className="entrance">
      <main className="entrance-card stack loose">
        <header className="stack">
          <p className="brand" aria-hidden="true">
            <svg viewBox="0 0 24 24" className="brand-sign" aria-hidden="true">
              <path d="M3 8.2 12 3.6l9 4.6v8.6L12 21.4l-9-4.6ZM3 8.2l9 4.6 9-4.6M12 12.8v8.6" />
            </svg>
            Doorstep
          </p>
          <h1>{title}</h1>
          {lead && <p className="soft">{lead}</p>}
        </header>
        {children}
      </main>
      <footer className="row center small">
        {Object.entries(languages)
          .filter(([tag]) => tag !== language())
          .map(([tag, name]) => (
            <button key={tag} type="button" lang={tag} className="link" onClick={() => chooseLanguage(tag as Language)}>
              {name}
            </button>
          ))}
        <a href="/docs">{t('sign_in.api_reference')}</a>
      </footer>
    </div>
  )
}
