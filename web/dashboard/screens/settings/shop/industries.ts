import type { Schemas } from 'doorstep-client'

export const industries = [
  'clothing_and_accessories',
  'electronics',
  'food_and_drink',
  'health_and_beauty',
  'home_and_garden',
  'sports_and_recreation',
  'jewelry_and_accessories',
  'toys_and_games',
  'pet_care',
  'automotive',
  'books_and_media',
  'office_and_business',
  'arts_and_crafts',
  'baby_and_kids',
  'other',
] as const satisfies readonly NonNullable<Schemas['ShopProfile']['industry']>[]
