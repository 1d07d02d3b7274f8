const common = {
  status: false,
  trigger_delivered_all_events: false,
  stale_event_threshold: 4,
  segments_enabled: false,
  internal_triggers: [],
}
/** The response for a new shop under `/settings/triggers/{integration}`, by integration. */
export const triggerDefaults: Record<string, object> = {
  klaviyo: common,
  brevo: common,
  braze: { ...common, rest_endpoint: null },
  hubspot: { ...common, portal_id: null },
  emarsys: common,
  inxmail: { ...common, instance_id: null },
  shopify: { status: false, stale_event_threshold: 48 },
  webhook: { ...common, status: true, stale_event_threshold: 24 },
}

/** The body of a valid internal trigger. */
export const trigger = {
  name: 'Three days without a scan',
  phase_in: ['in_transit', 'in_delivery'],
  phase_not_in: ['delivered'],
  event_key_in: ['PARCEL_SCANNED'],
  event_key_not_in: [],
  operator: 'AND',
  time_threshold_type: 'latest_event_time',
  time_threshold_value: 72,
  shipment_direction: 'customer_merchant',
}

/** The location and type of each problem, in a stable order. */
export function problemsOf(body: { errors: { loc: string[]; type: string }[] }): string[] {
  return body.errors.map((error) => `${error.loc.join('.')} ${error.type}`).sort()
}
