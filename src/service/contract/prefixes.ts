/** Where the service's paths begin (assumption `path-prefix`). */
export const defaultPrefix = '/api/b2b';
export const sandboxPrefix = '/api/sandbox/b2b';
