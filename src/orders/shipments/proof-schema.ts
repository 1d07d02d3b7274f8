import { DateTime, Named, Nullable, type Static, Type } from '../../platform/foundation/schema.ts'

const shared = {
  time: { ...DateTime, description: 'When it was delivered' },
  place: Nullable(
    Type.String({ description: 'Where, in the words of the carrier; else the town', examples: ['Front door'] }),
  ),
  source: Type.String({ description: 'The tracking provider that reported it', examples: ['ups'] }),
}

export const ProofOfDelivery = Named(
  'ProofOfDelivery',
  Type.Object({
    received_by: Nullable(
      Type.String({ description: 'Who took or signed for it, as the carrier writes it', examples: ['A. Example'] }),
    ),
    ...shared,
    picture_url: Nullable(
      Type.String({
        description: 'The picture or document of the carrier; opening it may need an account there',
        examples: ['https://carrier.example/proofs/7'],
      }),
    ),
    signature_url: Nullable(
      Type.String({ description: 'The signature, likewise', examples: ['https://carrier.example/signatures/7'] }),
    ),
  }),
)
export type ProofOfDelivery = Static<typeof ProofOfDelivery>

/** The part of a proof that is sent out of the shop: nobody's name, no picture and no signature. */
export const SharedProof = Named('SharedProofOfDelivery', Type.Object(shared))
export type SharedProof = Static<typeof SharedProof>
