/**
 * Components whose types by json-schema-to-typescript and by us are not assignable to each other, and why ours is right:
 * by kind, then as `document component`. A name that is listed and agrees fails the test.
 */
export interface Disagreement {
  readonly why: string;
  readonly components: readonly string[];
}

export const disagreements: Readonly<Record<string, Disagreement>> = {
  'required beside allOf': {
    why: 'a member that a part of an allOf describes is required by what stands beside it or in another part; it keeps it optional',
    components: ['sendgrid.com senderID', 'va.gov__benefits DocumentUploadSubmissionAttributes'],
  },
};
