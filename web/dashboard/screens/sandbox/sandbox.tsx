import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { ChoiceField, SelectField, TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { formatCountry } from '../../kit/format.ts'
import { Card, Page } from '../../kit/page.tsx'
import { t } from '../../texts/texts.ts'
import { UpdatesOff } from '../carriers/providers.tsx'
import { Items } from './items.tsx'
import { Past } from './past.tsx'
import { countries, journeys, type Play, steps, usePlay } from './play.ts'
import { SandboxOff, WhoIsTold } from './who-is-told.tsx'

const usual: Play = {
  journey: 'DELIVERED',
  step: '2S',
  name: 'Ada Example',
  email: 'ada@example.com',
  country: 'DE',
  items: [
    { title: 'Rain jacket', quantity: 1 },
    { title: 'Wool socks', quantity: 2 },
  ],
}

/** Makes an order up and lets its parcel travel, as fast as one likes. */
export function Sandbox() {
  const [play, setPlay] = useState(usual)
  const start = usePlay()
  const set = (change: Partial<Play>) => {
    start.reset()
    setPlay((before) => ({ ...before, ...change }))
  }
  const problems = problemsByField(start.error)
  return (
    <Page title={t('nav.sandbox')} lead={t('sandbox.lead')}>
      <UpdatesOff />
      <SandboxOff />
      <WhoIsTold />
      <Form problems={problems} onSubmit={() => start.mutate(play)}>
        <div className="pair">
          <Card title={t('sandbox.journey')}>
            <ChoiceField
              label={t('sandbox.what_happens')}
              value={play.journey}
              choices={journeys.map((value) => ({ value, label: t(`sandbox.journeys.${value}`) }))}
              onChange={(journey) => set({ journey })}
            />
            <SelectField
              label={t('sandbox.speed')}
              value={play.step}
              choices={steps.map((value) => ({ value: value as string, label: t(`sandbox.steps.${value}`) }))}
              onChange={(step) => set({ step })}
            />
          </Card>
          <Card title={t('sandbox.order')}>
            <TextField
              label={t('sandbox.name')}
              value={play.name}
              autoComplete="off"
              error={problems['order.address.name']}
              onChange={(name) => set({ name })}
            />
            <TextField
              label={t('sandbox.email')}
              type="email"
              value={play.email}
              autoComplete="off"
              help={t('sandbox.email_help')}
              error={problems['order.email_id']}
              onChange={(email) => set({ email })}
            />
            <SelectField
              label={t('sandbox.country')}
              value={play.country}
              choices={countries.map((value) => ({ value, label: formatCountry(value) }))}
              onChange={(country) => set({ country })}
            />
            <Items items={play.items} onChange={(items) => set({ items })} />
          </Card>
        </div>
        <div>
          <Button type="submit" variant="primary" icon="bolt" isBusy={start.isPending}>
            {t('sandbox.play')}
          </Button>
        </div>
      </Form>
      <Past />
    </Page>
  )
}
