import { americas } from './americas.ts'
import { asiaPacific } from './asia-pacific.ts'
import { beneluxAndFrance } from './benelux-and-france.ts'
import { britishIsles } from './british-isles.ts'
import { centralAndEasternEurope } from './central-and-eastern-europe.ts'
import type { CatalogueEntry } from './entry.ts'
import { germanSpeaking } from './german-speaking.ts'
import { nordics } from './nordics.ts'
import { posts } from './posts.ts'
import { southernEurope } from './southern-europe.ts'
import { worldwide } from './worldwide.ts'

/** Every carrier we know by name. */
export const catalogue: readonly CatalogueEntry[] = [
  ...worldwide,
  ...germanSpeaking,
  ...beneluxAndFrance,
  ...britishIsles,
  ...nordics,
  ...southernEurope,
  ...centralAndEasternEurope,
  ...americas,
  ...asiaPacific,
  ...posts,
]
