/**
 * Verbs of which those that ask may answer at once or take their time: what an embedded journal and a shared one both
 * fulfil. Whoever asks awaits every answer, and counts on nothing that was true before it.
 */
export type Asked<Verbs> = { readonly [Name in keyof Verbs]: AskedVerb<Verbs[Name]> };

type AskedVerb<Verb> = Verb extends (...given: infer Given) => infer Answer
  ? (...given: Given) => Answer extends Promise<unknown> ? Answer : Answer | Promise<Answer>
  : Verb;
