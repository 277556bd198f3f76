import { type Environment, environmentKey } from '../../src/domain/environment/environment.ts';

/** `https://pay.example/api/b2b me@example.com`: a place and an e-mail. What tells accounts apart besides is not known. */
export function knownEnvironment(text: string): Environment {
  const [place = '', email] = text.split(' ');
  return { place, email, profileKey: undefined, configuredKey: undefined };
}

/** The same as the journal keeps it. */
export function storedEnvironment(text: string): string {
  return environmentKey(knownEnvironment(text));
}
