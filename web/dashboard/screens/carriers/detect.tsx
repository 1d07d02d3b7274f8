import { useMutation } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { formatCountry, formatShare } from '../../kit/format.ts'
import { Card, Page } from '../../kit/page.tsx'
import { wordsOf } from '../../kit/problem.tsx'
import { t } from '../../texts/texts.ts'

type Candidate = Schemas['CarrierCandidates']['candidates'][number]

interface Detected {
  number: string
  candidates: Candidate[]
}

/** More at once would only be an import by other means. */
const mostNumbers = 50
const atOnce = 4

/** The carrier that the service detects for a tracking number, and why. Nothing is stored. */
export function Detect() {
  const [text, setText] = useState('')
  const [country, setCountry] = useState('')
  const numbers = numbersIn(text)
  const detect = useMutation({
    mutationFn: () => detectAll(numbers.slice(0, mostNumbers), country.trim().toUpperCase()),
  })
  const isCountryWrong = country.trim() !== '' && !/^[A-Za-z]{2}$/.test(country.trim())
  const problems: Record<string, string> = {
    ...(isCountryWrong ? { country: t('carriers.country_wrong') } : {}),
    ...(detect.isError ? { '': wordsOf(detect.error) } : {}),
  }
  return (
    <Page title={t('nav.detect')} lead={t('carriers.detect_lead')}>
      <Card>
        <Form
          className="stack"
          problems={detect.isError ? problems : {}}
          onSubmit={() => numbers.length > 0 && !isCountryWrong && detect.mutate()}
        >
          <TextArea
            label={t('carriers.numbers')}
            help={
              numbers.length > mostNumbers
                ? t('carriers.too_many', { count: numbers.length, most: mostNumbers })
                : t('carriers.numbers_help', { most: mostNumbers })
            }
            value={text}
            rows={5}
            spellCheck={false}
            onChange={setText}
          />
          <div className="country-input">
            <TextField
              label={t('carriers.country')}
              placeholder="DE"
              maxLength={2}
              value={country}
              error={problems.country}
              onChange={setCountry}
            />
          </div>
          <div>
            <Button
              type="submit"
              variant="primary"
              icon="search"
              isBusy={detect.isPending}
              disabled={numbers.length === 0}
            >
              {t('carriers.detect')}
            </Button>
          </div>
        </Form>
      </Card>
      <div aria-live="polite" className="stack">
        {detect.data?.map((found) => (
          <Result key={found.number} found={found} />
        ))}
      </div>
    </Page>
  )
}

function Result({ found: { number, candidates } }: { found: Detected }) {
  const [best, ...others] = candidates
  return (
    <section className="card" aria-label={number}>
      <div className="card-body stack tight">
        <div className="row apart">
          <code className="detected-number">{number}</code>
          {best && <Confidence candidate={best} />}
        </div>
        {best === undefined ? (
          <p>{t('carriers.no_candidate')}</p>
        ) : (
          <p>
            <strong>{best.name}</strong> <span className="soft">{reasonWords(best.reason)}</span>
          </p>
        )}
        {best && best.confidence < 0.5 && <p className="soft small">{t('carriers.guess_text')}</p>}
        {others.length > 0 && (
          <details>
            <summary className="small">{t('carriers.other_candidates', { count: others.length })}</summary>
            <ul className="stack tight candidates">
              {others.map((candidate) => (
                <li key={candidate.carrier_reference} className="row apart">
                  <span>
                    {candidate.name} <span className="soft small">{reasonWords(candidate.reason)}</span>
                  </span>
                  <Confidence candidate={candidate} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </section>
  )
}

/** The evidence for a carrier. The shape of the number stays in the service's words; the rest is translated. */
function reasonWords(reason: string): string {
  return reason
    .split(', ')
    .map((part) => {
      if (part === 'check digit right') return t('carriers.evidence.right')
      if (part === 'check digit wrong') return t('carriers.evidence.wrong')
      if (part === 'named in the text') return t('carriers.evidence.named')
      const [, way, country = ''] = /^(usual|unusual) in ([A-Z]{2})$/.exec(part) ?? []
      if (way === undefined) return part
      return t(way === 'usual' ? 'carriers.evidence.usual' : 'carriers.evidence.unusual', {
        country: formatCountry(country),
      })
    })
    .join(', ')
}

/** Orders use the first candidate from one half on. */
function Confidence({ candidate: { confidence } }: { candidate: Candidate }) {
  const [tone, words]: [Tone, string] =
    confidence >= 0.9
      ? ['good', t('carriers.certain')]
      : confidence >= 0.5
        ? ['info', t('carriers.likely')]
        : ['late', t('carriers.guess')]
  return (
    <Badge tone={tone}>
      {words} · {formatShare(confidence)}
    </Badge>
  )
}

/** One per line, or separated by commas or semicolons: numbers themselves may be printed in groups. */
function numbersIn(text: string): string[] {
  const found = text.split(/[\n,;\t]+/).map((number) => number.trim())
  return [...new Set(found.filter((number) => number !== ''))].map((number) => number.slice(0, 255))
}

async function detectAll(numbers: readonly string[], country: string): Promise<Detected[]> {
  const found: Detected[] = []
  for (let from = 0; from < numbers.length; from += atOnce) {
    const some = numbers.slice(from, from + atOnce).map(async (number) => {
      const body = { tracking_number: number, ...(country === '' ? {} : { country_code: country }) }
      const { candidates } = await api.post('/v1/carriers/detect', { body })
      return { number, candidates }
    })
    found.push(...(await Promise.all(some)))
  }
  return found
}
