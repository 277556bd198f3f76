import { isLoopback } from '../domain/environment/is-loopback.ts';
import { withoutTrailing } from '../domain/text/without-trailing.ts';
import { PayrunError } from '../errors.ts';

/** Where the service is: the origin for connections, and the path, if any, that all its paths stand under. */
interface ServiceUrl {
  readonly origin: string;
  readonly basePath: string;
}

/** Reads the base URL. No message repeats it: it may hold what should not have been in it. */
export function serviceUrl(baseUrl: string): ServiceUrl {
  // A URL is read without them, and would be shown with them: another host than the one that is asked.
  if (/[\s\p{C}]/u.test(baseUrl)) throw invalid('must not hold blanks, line breaks or invisible signs');
  if (!URL.canParse(baseUrl)) throw invalid('is not a URL; it looks like https://api.example.com');
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid('must begin with https://');
  if (url.username || url.password) {
    throw invalid('must not hold a user name or password; the API key is a setting of its own');
  }
  if (url.search || url.hash) throw invalid('must not have a query or a fragment (? or #)');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new PayrunError(
      'insecure-url',
      `The base URL of the service is plain http, which would send the API key over the network in the clear: use https://${url.host} (http is allowed to this machine only)`,
    );
  }
  return { origin: url.origin, basePath: withoutTrailing(url.pathname, '/') };
}

function invalid(what: string): PayrunError {
  return new PayrunError('invalid-url', `The base URL of the service ${what}`);
}
